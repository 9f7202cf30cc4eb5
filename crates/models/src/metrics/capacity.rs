//! Where the capacity of a port went.

use super::port::PortReading;

/// What a port counts in, and how fast it can send that.
#[derive(Clone, Copy, Debug)]
pub struct Capacity {
    /// Octets in a unit.
    pub octets: u64,
    /// Time to send a unit.
    pub unit_time: f64,
}

impl Capacity {
    /// Whether it counts in cells.
    pub fn is_cells(&self) -> bool {
        self.octets == 53
    }
}

/// What became, beyond the port, of what one VC sent through it, in octets on the wire.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VcShare {
    /// The flow is greedy and this VC carries its data; false on its way back.
    pub data: bool,
    /// The flow is greedy.
    pub greedy: bool,
    /// User data that arrived for the first time.
    pub user: u64,
    /// Packets that brought it, all included.
    pub useful: u64,
    /// Packets that brought nothing new.
    pub resent: u64,
}

impl PortReading {
    /// Metrics by name; `vcs` tells what became of the units of each VC.
    ///
    /// The capacity is accounted for to the last unit: utilization is the sum of the useful,
    /// padding, resent, dead, background and control shares, and one less the idle share. What a VC
    /// sent through the port and did not arrive in a whole packet was dead.
    pub fn metrics(&self, capacity: Capacity, vcs: &[VcShare]) -> Vec<(&'static str, f64)> {
        let spent = self.spent(capacity, vcs);
        let full = self.span.seconds() / capacity.unit_time * capacity.octets as f64;
        let share = |octets: f64| octets / full;
        let utilization = share((self.sent * capacity.octets) as f64);
        let ratio = |part: u64, whole: u64| part as f64 / whole.max(1) as f64;
        let cells = |units: f64| units * capacity.octets as f64 / 53.0;
        let mut metrics = vec![
            ("packet_loss_ratio", ratio(self.frames_damaged, self.frames)),
            ("utilization", utilization),
            ("idle_share", 1.0 - utilization),
            ("useful_share", share(spent.user)),
            ("padding_share", share(spent.useful - spent.user)),
            ("resent_share", share(spent.resent)),
            ("dead_cell_share", share(spent.dead)),
            ("background_share", share(spent.background)),
            ("control_share", share(spent.control)),
            ("mean_queue", cells(self.mean_queue)),
            ("max_queue", cells(self.max_queue as f64)),
        ];
        if capacity.is_cells() {
            metrics.insert(0, ("cell_loss_ratio", ratio(self.refused, self.offered)));
        }
        metrics
    }

    /// Octets sent, by what became of them.
    fn spent(&self, capacity: Capacity, vcs: &[VcShare]) -> Spent {
        let mut spent = Spent::default();
        for (sent, vc) in self.by_vc.iter().zip(vcs) {
            let octets = (sent * capacity.octets) as f64;
            match (vc.greedy, vc.data) {
                (false, _) => spent.background += octets,
                (true, false) => spent.control += octets,
                (true, true) => {
                    spent.user += vc.user as f64;
                    spent.useful += vc.useful as f64;
                    spent.resent += vc.resent as f64;
                    spent.dead += octets - vc.useful as f64 - vc.resent as f64;
                }
            }
        }
        // By VC only what was accepted is known. What still waits is data if there is any, and was
        // counted as dead because it has not arrived.
        let accepted: u64 = self.by_vc.iter().sum();
        let unsent = (accepted as f64 - self.sent as f64) * capacity.octets as f64;
        if vcs.iter().any(|vc| vc.greedy && vc.data) {
            spent.dead -= unsent;
        } else if vcs.iter().any(|vc| vc.greedy) {
            spent.control -= unsent;
        } else {
            spent.background -= unsent;
        }
        spent
    }
}

/// Octets on the wire, by what became of them.
#[derive(Default)]
struct Spent {
    user: f64,
    useful: f64,
    resent: f64,
    dead: f64,
    background: f64,
    control: f64,
}

#[cfg(test)]
mod tests {
    use kernel::{Duration, Time};

    use super::*;
    use crate::metrics::PortMeter;

    const US: fn(u64) -> Time = |us| Time::from_ps(us * 1_000_000);

    #[test]
    fn the_shares_of_a_port_add_up_to_one() {
        let mut meter = PortMeter::new(3);
        for vc in [0, 0, 0, 1, 2, 2] {
            meter.accept(vc, 1, true, Duration::ZERO, 0);
        }
        let reading = meter.read(US(30), 0, Duration::ZERO);
        let capacity = Capacity {
            octets: 53,
            unit_time: 3e-6,
        };
        let greedy = VcShare {
            greedy: true,
            ..VcShare::default()
        };
        let data = VcShare {
            data: true,
            user: 40,
            useful: 53,
            resent: 53,
            ..greedy
        };
        let metrics = reading.metrics(capacity, &[data, VcShare::default(), greedy]);
        let value = |name| {
            metrics
                .iter()
                .find(|(metric, _)| *metric == name)
                .expect("a metric")
                .1
        };
        let spent: f64 = [
            "useful",
            "padding",
            "resent",
            "dead_cell",
            "background",
            "control",
        ]
        .map(|part| value(&*format!("{part}_share").leak()))
        .iter()
        .sum();
        assert!((spent - value("utilization")).abs() < 1e-12);
        assert!((value("utilization") + value("idle_share") - 1.0).abs() < 1e-12);
        assert!((value("dead_cell_share") - 0.1).abs() < 1e-12);
    }
}
