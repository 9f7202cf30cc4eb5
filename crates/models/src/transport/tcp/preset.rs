//! Presets: the TCP of hosts of one time.
//!
//! A preset sets what the source of its host says and a scenario would otherwise have to write out:
//! the congestion control, the timers, the acknowledgments, the options and the window of the receiver
//! if the host chooses it. The sizes of packets are those of the scenario, since links determine them.

use parameters::presets;

presets! {
    /// TCP as in the hosts of one time.
    pub enum TcpPreset {
        /// Linux 6.6 to 6.15, the kernels of 2023 to 2025: CUBIC with HyStart, RACK-TLP with
        /// proportional rate reduction, a slow start that counts what is delivered, a large first
        /// window, time stamps, the timeouts and acknowledgments of Linux, and Nagle's algorithm as
        /// Minshall modified it. Spurious losses are detected by F-RTO, D-SACK and time stamps,
        /// and undone. The receiver's window grows from 64 KB on, to at most 5.4 MB.
        linux => Linux {
            window = { autotuned = {} },
            window_counts = "data",
            initial_window = 10,
            handshake = true,
            congestion = { cubic = {
                cut_of = "window",
                slow_start = { hystart = {} },
                recovery = "rack_proportional",
            } },
            slow_start_counts = "delivered",
            limited_transmit = true,
            reduction_bound = "when_safe",
            acknowledge = { linux = {} },
            mark_reduction = "proportional",
            mark_at_one_segment = "send",
            idle_restart = "linux",
            timers = { linux = {} },
            backoff = { capped = { factor = 1024 } },
            timestamps = "rfc1323",
            spurious = { eifel = "linux", f_rto = "sack", d_sack = true, response = "full" },
            nagle = "minshall",
        },
        /// 4.3BSD-Reno, 1990: fast recovery as first published, an eighth of a segment more with each
        /// acknowledgment, timers of half a second, and windows of at most 65535 octets.
        bsd_1990 => Bsd1990 {
            window_counts = "data",
            window_scaling = false,
            initial_window = 1,
            handshake = true,
            congestion = { reno = { deflation = "bsd", growth = { linear = "plus_eighth" } } },
            acknowledge = { bsd = {} },
            unused_window = "grows",
            idle_restart = "bsd",
            timers = { bsd = {} },
            backoff = { karn = {} },
            nagle = true,
        },
    }
}

impl TcpPreset {
    /// The hosts of the preset, and their time.
    pub fn hosts(self) -> &'static str {
        match self {
            TcpPreset::Linux => "the TCP of Linux 6.6 to 6.15, kernels of 2023 to 2025",
            TcpPreset::Bsd1990 => "the TCP of 4.3BSD-Reno, 1990",
        }
    }
}

#[cfg(test)]
mod tests {
    use parameters::{Parameter, ValueTable, understand, value};

    use super::*;
    use crate::transport::tcp::Tcp;
    use crate::transport::tcp::nagle::NagleRule;

    #[test]
    fn a_preset_reads_back_as_written_out() {
        for preset in TcpPreset::ALL {
            let table = ValueTable::of([("preset", preset.write())]);
            let named: Tcp = understand(&table.into()).expect("every preset is valid");
            assert_eq!(understand(&named.write()), Ok(named.clone()));
            assert!(named.handshake && named.nagle.0 != NagleRule::Off);
        }
    }

    #[test]
    fn a_parameter_beside_a_preset_replaces_its_value() {
        let changed: Tcp = understand(&value!({
            preset = "linux",
            initial_window = 4,
            congestion = { dctcp = { recovery = "rack" } }
        }))
        .expect("valid");
        assert_eq!(
            (changed.initial_window, changed.congestion.kind()),
            (4, "dctcp")
        );
        assert!(changed.limited_transmit, "as in the preset");
    }

    #[test]
    fn linux_finds_losses_by_time_and_bsd_does_not() {
        let timed = TcpPreset::ALL.iter().map(|preset| {
            let table = ValueTable::of([("preset", preset.write())]);
            let tcp: Tcp = understand(&table.into()).expect("valid");
            tcp.congestion.recovery().timed().is_some()
        });
        assert_eq!(timed.collect::<Vec<_>>(), [true, false]);
    }
}
