//! Quantities of recorded series, each with its unit: lowering counts them, and reports name them.

/// Series of a flow that its host may pace: of the source queue, and of the rate of ABR.
pub const OF_PACED: [(&str, &str); 2] = [("source_queue", "cells"), ("acr", "cells/s")];

/// Series of the receiving end of a flow.
pub const OF_RECEIVER: [(&str, &str); 1] = [("delivered", "B")];

/// Series of a rate allocator.
pub const OF_ALLOCATOR: [(&str, &str); 4] = [
    ("abr_capacity", "cells/s"),
    ("load_factor", "1"),
    ("active_channels", "1"),
    ("fair_share", "cells/s"),
];
