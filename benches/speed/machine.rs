//! The machine: its processor time.

use nix::sys::resource::{UsageWho, getrusage};

/// Seconds of processor time that this process has used.
pub fn processor_seconds() -> f64 {
    let usage = getrusage(UsageWho::RUSAGE_SELF).expect("a process can be asked of itself");
    let time = usage.user_time();
    time.tv_sec() as f64 + time.tv_usec() as f64 * 1e-6
}
