//! Sizes of packets, windows and buffers.
//!
//! Prefixes: SI for powers of ten, IEC 80000-13 for powers of two.

use super::{BadQuantity, Dimension, Form, LargestSteps, Measure, Quantity, QuantityUnit, zero};

/// A number of bytes. A kB is 1000, a KiB is 1024.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(pub u64);

/// A number of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellCount(pub u64);

/// Length of a message: in bytes of user data, or in the cells that carry it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MessageLength {
    /// A number of cells.
    Cells(u64),
    /// A number of bytes.
    Bytes(u64),
}

/// Size of a buffer, in cells or in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BufferSize {
    /// A number of cells.
    Cells(u64),
    /// A number of bytes.
    Bytes(u64),
}

/// Limit of a buffer, in cells, bytes or packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BufferLimit {
    /// A number of cells or of bytes.
    Size(BufferSize),
    /// A number of packets of any length.
    Packets(u64),
}

const fn bytes(symbol: &'static str, steps: u64) -> QuantityUnit {
    QuantityUnit {
        symbol,
        dimension: Dimension::Bytes,
        steps,
        is_alias: false,
    }
}

/// The plural and the singular of a unit that counts things.
const fn counted_in(
    dimension: Dimension,
    [plural, singular]: [&'static str; 2],
) -> [QuantityUnit; 2] {
    let plural = QuantityUnit {
        symbol: plural,
        dimension,
        steps: 1,
        is_alias: false,
    };
    let singular = QuantityUnit {
        symbol: singular,
        dimension,
        steps: 1,
        is_alias: true,
    };
    [plural, singular]
}

/// Units of bytes.
pub(super) const BYTES: &[QuantityUnit] = &[
    bytes("B", 1),
    bytes("kB", 1_000),
    bytes("MB", 1_000_000),
    bytes("GB", 1_000_000_000),
    bytes("TB", 1_000_000_000_000),
    bytes("KiB", 1 << 10),
    bytes("MiB", 1 << 20),
    bytes("GiB", 1 << 30),
    bytes("TiB", 1 << 40),
];

/// Units of cells.
pub(super) const CELLS: &[QuantityUnit] = &counted_in(Dimension::Cells, ["cells", "cell"]);

/// Units of packets.
pub(super) const PACKETS: &[QuantityUnit] = &counted_in(Dimension::Packets, ["packets", "packet"]);

/// Largest number of bytes: more than any network holds, and small enough that no computation
/// overflows.
pub(super) const MOST_BYTES: LargestSteps = LargestSteps {
    steps: 1 << 50,
    text: "1024 TiB",
};

/// The largest number of cells, equal to that of bytes.
pub(super) const MOST_CELLS: LargestSteps = LargestSteps {
    steps: 1_000_000_000_000_000,
    text: "1000000000000000 cells",
};

/// The largest number of packets: as many of the largest have no more than the largest number of
/// bytes.
const MOST_PACKETS: LargestSteps = LargestSteps {
    steps: 1_000_000_000,
    text: "1000000000 packets",
};

impl Quantity for Bytes {
    const FORM: Form = Form {
        noun: "size in bytes",
        example: "9180 B",
        units: &[BYTES],
    };

    fn from_measure(measure: Measure<'_>) -> Result<Bytes, BadQuantity> {
        measure.whole(MOST_BYTES).map(Bytes)
    }

    fn render(&self) -> String {
        render_bytes(self.0)
    }
}

impl Quantity for CellCount {
    const FORM: Form = Form {
        noun: "number of cells",
        example: "1000 cells",
        units: &[CELLS],
    };

    fn from_measure(measure: Measure<'_>) -> Result<CellCount, BadQuantity> {
        measure.whole(MOST_CELLS).map(CellCount)
    }

    fn render(&self) -> String {
        render_count(self.0, CELLS)
    }
}

impl Quantity for BufferSize {
    const FORM: Form = Form {
        noun: "buffer size",
        example: "1000 cells",
        units: &[CELLS, BYTES],
    };

    fn from_measure(measure: Measure<'_>) -> Result<BufferSize, BadQuantity> {
        let (in_cells, size) = counted(measure, Self::FORM.example)?;
        Ok(if in_cells {
            BufferSize::Cells(size)
        } else {
            BufferSize::Bytes(size)
        })
    }

    fn render(&self) -> String {
        match self {
            BufferSize::Cells(cells) => render_count(*cells, CELLS),
            BufferSize::Bytes(bytes) => render_bytes(*bytes),
        }
    }
}

impl Quantity for BufferLimit {
    const FORM: Form = Form {
        noun: "buffer size",
        example: "1000 cells",
        units: &[CELLS, BYTES, PACKETS],
    };

    fn from_measure(measure: Measure<'_>) -> Result<BufferLimit, BadQuantity> {
        if measure.dimension() != Dimension::Packets {
            return BufferSize::from_measure(measure).map(BufferLimit::Size);
        }
        match measure.whole(MOST_PACKETS)? {
            0 => Err(zero(measure, "100 packets")),
            packets => Ok(BufferLimit::Packets(packets)),
        }
    }

    fn render(&self) -> String {
        match self {
            BufferLimit::Size(size) => size.render(),
            BufferLimit::Packets(packets) => render_count(*packets, PACKETS),
        }
    }
}

impl Quantity for MessageLength {
    const FORM: Form = Form {
        noun: "message length",
        example: "20 cells",
        units: &[CELLS, BYTES],
    };

    fn from_measure(measure: Measure<'_>) -> Result<MessageLength, BadQuantity> {
        let (in_cells, length) = counted(measure, Self::FORM.example)?;
        Ok(if in_cells {
            MessageLength::Cells(length)
        } else {
            MessageLength::Bytes(length)
        })
    }

    fn render(&self) -> String {
        match self {
            MessageLength::Cells(cells) => render_count(*cells, CELLS),
            MessageLength::Bytes(bytes) => render_bytes(*bytes),
        }
    }
}

/// Reads a positive number: true with a number of cells, false with a number of bytes.
fn counted(measure: Measure<'_>, example: &str) -> Result<(bool, u64), BadQuantity> {
    let in_cells = measure.dimension() == Dimension::Cells;
    let most = if in_cells { MOST_CELLS } else { MOST_BYTES };
    match measure.whole(most)? {
        0 => Err(zero(measure, example)),
        count => Ok((in_cells, count)),
    }
}

/// Writes a size in binary units (KiB to TiB) if the number is then whole, otherwise in bytes.
pub(super) fn render_bytes(bytes: u64) -> String {
    let binary = [("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)];
    match binary
        .iter()
        .find(|(_, bits)| bytes > 0 && bytes.is_multiple_of(1 << bits))
    {
        Some((symbol, bits)) => format!("{} {symbol}", bytes >> bits),
        None => format!("{bytes} B"),
    }
}

/// Writes a number in a unit that counts things, `CELLS` or `PACKETS`.
pub(super) fn render_count(count: u64, unit: &[QuantityUnit]) -> String {
    let is_singular = |known: &&QuantityUnit| known.is_alias == (count == 1);
    let unit = unit.iter().find(is_singular);
    let unit = unit.expect("the unit has a singular and a plural");
    format!("{count} {}", unit.symbol)
}
