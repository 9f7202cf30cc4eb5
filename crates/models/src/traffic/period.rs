//! Periods after which a source begins again.

use kernel::Duration;

/// The hint that a period must end after the time `last` of the last message or packet, `what`.
pub fn ends_after(last: Duration, what: &str) -> String {
    let next = last + Duration::from_ms(1);
    format!("write a time after the last {what}, for example `\"{next}\"`")
}
