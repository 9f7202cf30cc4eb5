//! The use of a port's capacity: the octets on a link, by their later fate. Our own division: its
//! parts add up to the utilization, so no octet is counted twice or left out.

use kernel::{Duration, Rate};

use super::allocation::AllocationReading;
use super::crossing::CrossingReading;
use super::metric::Measurement;
use super::rare::{RareCounts, TrimmedPackets};
use super::table::port;

/// The unit that a port counts in, and its transmission time.
#[derive(Clone, Copy, Debug)]
pub struct PortUnit {
    /// Octets in a unit.
    pub octets: u64,
    /// Transmission time of a unit, in seconds.
    pub unit_time: f64,
    is_cells: bool,
}

impl PortUnit {
    /// The unit of a port that counts cells of `octets` with this transmission time.
    pub fn of_cells(octets: u64, cell_time: Duration) -> PortUnit {
        PortUnit {
            octets,
            unit_time: cell_time.seconds(),
            is_cells: true,
        }
    }

    /// The unit of a port that counts octets, to a link of this rate.
    pub fn of_octets(link: Rate) -> PortUnit {
        PortUnit {
            octets: 1,
            unit_time: 8.0 / link.bits_per_second() as f64,
            is_cells: false,
        }
    }

    /// True if the port counts in cells.
    pub fn is_cells(&self) -> bool {
        self.is_cells
    }

    /// The unit of lengths of the queue, for people.
    pub fn word(&self) -> &'static str {
        if self.is_cells { "cells" } else { "B" }
    }
}

/// The capacity of a link whose rate changes, in the measured time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkCapacity {
    /// Bits that the link could have carried.
    pub bits: f64,
    /// Bits of the transmission in progress when counting began, less those of the one when it ended.
    pub carried_over: f64,
}

/// Octets on the wire that one VC sent through a port, by their later fate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VcShare {
    /// True if this VC carries the data of its flow; false in the opposite direction.
    pub data: bool,
    /// True if the flow is greedy.
    pub greedy: bool,
    /// User data that arrived for the first time.
    pub user: u64,
    /// Octets of packets with new data, headers and padding included.
    pub useful: u64,
    /// Octets of packets without new data; in the opposite direction, acknowledgments.
    pub other: u64,
    /// RM cells of the data direction.
    pub control: u64,
    /// Octets of damaged PDUs that arrived, and of units dropped or lost beyond the port.
    pub dead: u64,
}

impl VcShare {
    /// Octets of which the far end, or the last edge, knows the fate.
    pub fn received(&self) -> u64 {
        self.useful + self.other + self.control + self.dead
    }
}

/// Counts of a port.
#[derive(Clone, Debug)]
pub struct PortReading {
    /// Measured time.
    pub span: Duration,
    /// Units offered to the buffer.
    pub offered: u64,
    /// Units dropped.
    pub dropped: u64,
    /// PDUs or packets offered.
    pub packets: u64,
    /// PDUs or packets dropped in whole or in part.
    pub packets_damaged: u64,
    /// Units whose transmission began.
    pub begun: u64,
    /// Remaining time of the transmission in progress when counting began.
    pub serving_before: Duration,
    /// Remaining time of the transmission in progress when counting ended.
    pub serving_after: Duration,
    /// Mean number of units waiting.
    pub mean_queue: f64,
    /// Largest number of units waiting.
    pub max_queue: u64,
    /// What few ports count.
    pub rare: RareCounts,
    /// Time in which the link carried replays and ordered sets, if it has link-level retry.
    pub retried: Option<Duration>,
    /// The capacity of the link, if its rate changes.
    pub capacity: Option<LinkCapacity>,
    /// Units dropped, by VC.
    pub dropped_by_vc: Vec<u64>,
    /// Measurements of the rate allocator, if there is one.
    pub allocation: Option<AllocationReading>,
    /// Measurements of the cells that waited at the inputs for this output, if the fabric counts
    /// them.
    pub crossing: Option<CrossingReading>,
}

impl PortReading {
    /// Metrics with their values; `vcs` has the octets of each VC by their fate.
    ///
    /// Utilization is the sum of the useful share of greedy flows and of the padding, duplicate,
    /// dead, background, control, credit, link control, retry and underway shares, and equals one
    /// minus the idle share. The underway share is the rest of the utilization: all others are
    /// counted where units arrive, or are dropped.
    pub fn metrics(&self, unit: PortUnit, vcs: &[VcShare]) -> Vec<Measurement> {
        let spent = Spent::new(vcs);
        let span = self.span.seconds();
        let [unit_time, carried_over] = self.unit_and_carried_times(unit);
        let time = |octets: i128| octets as f64 / unit.octets as f64 * unit_time;
        let share = |octets: u64| time(i128::from(octets)) / span;
        let begun = i128::from(self.begun) * i128::from(unit.octets);
        let retried = self.retried.map(|time| time.seconds() / span);
        let utilization = (time(begun) + carried_over) / span + retried.unwrap_or(0.0);
        let parts = [
            (port::useful_share, share(spent.user + spent.user_of_others)),
            (port::greedy_useful_share, share(spent.user)),
            (port::padding_share, share(spent.useful - spent.user)),
            (port::duplicate_share, share(spent.duplicate)),
            (port::dead_cell_share, share(spent.dead)),
            (port::background_share, share(spent.background)),
            (port::control_share, share(spent.control)),
        ];
        let credits = self.rare.credits.unwrap_or(0) * unit.octets;
        let of_link = self.rare.link_control.unwrap_or(0);
        // Computed from whole octets. Where no unit is lost, the underway share may be exactly
        // zero, which a difference of rounded shares would miss.
        let under_way = begun - i128::from(spent.total() + credits + of_link);
        let mut metrics = self.losses(unit);
        metrics.push((port::utilization, utilization));
        metrics.push((port::idle_share, 1.0 - utilization));
        metrics.extend(parts);
        if let Some(stalled) = self.rare.stalled {
            metrics.push((port::stalled_share, stalled.seconds() / span));
        }
        if self.rare.credits.is_some() {
            metrics.push((port::credit_share, share(credits)));
        }
        if self.rare.link_control.is_some() {
            metrics.push((port::link_control_share, share(of_link)));
        }
        metrics.extend(retried.map(|share| (port::retry_share, share)));
        metrics.push((
            port::underway_share,
            (time(under_way) + carried_over) / span,
        ));
        let [mean_queue, max_queue] = if unit.is_cells() {
            [port::queue::mean, port::queue::max]
        } else {
            [port::queue_octets::mean, port::queue_octets::max]
        };
        metrics.push((mean_queue, self.mean_queue));
        metrics.push((max_queue, self.max_queue as f64));
        if unit.is_cells() {
            metrics.push((port::cells_offered, self.offered as f64));
        }
        metrics.push((port::packets_offered, self.packets as f64));
        if self.rare.marked.is_some() {
            metrics.push((port::units_accepted, self.accepted() as f64));
        }
        metrics.extend(self.trimming());
        metrics.extend(self.allocation.iter().flat_map(AllocationReading::metrics));
        metrics.extend(self.crossing.iter().flat_map(CrossingReading::metrics));
        metrics
    }

    /// Transmission time of a unit, in seconds; at the mean rate of a link whose rate changes.
    pub fn unit_time(&self, unit: PortUnit) -> f64 {
        self.unit_and_carried_times(unit)[0]
    }

    /// Transmission time of a unit, and that of the transmissions that were carried over, in seconds.
    /// Those on a link whose rate changes are times at its mean rate, at which the whole span carries
    /// its capacity.
    fn unit_and_carried_times(&self, unit: PortUnit) -> [f64; 2] {
        match self.capacity.filter(|capacity| capacity.bits > 0.0) {
            Some(LinkCapacity { bits, carried_over }) => {
                let of_bit = self.span.seconds() / bits;
                [8.0 * unit.octets as f64 * of_bit, carried_over * of_bit]
            }
            None => [
                unit.unit_time,
                self.serving_before.seconds() - self.serving_after.seconds(),
            ],
        }
    }

    /// The counts of packets that were trimmed, or that went back to their senders.
    fn trimming(&self) -> Vec<Measurement> {
        let mut metrics = Vec::new();
        if let Some(trimmed) = self.rare.trimmed {
            let TrimmedPackets {
                all,
                dropped,
                returned,
            } = trimmed;
            metrics.push((port::packets_trimmed, all as f64));
            metrics.push((port::trimmed_sent, (all - dropped - returned) as f64));
            metrics.push((port::trimmed_dropped, dropped as f64));
        }
        if let Some(returned) = self.rare.returned {
            metrics.push((port::packets_returned, returned.counted as f64));
        }
        metrics
    }

    /// The part of the units that were accepted, and not dropped later, that the link carried; the sent
    /// part of a unit counts. Control frames are left out, since they do not wait.
    pub fn carried_part(&self, unit: PortUnit) -> f64 {
        let [unit_time, carried_over] = self.unit_and_carried_times(unit);
        let control = self.rare.link_control.unwrap_or(0);
        let carried = self.begun as f64 - control as f64 + carried_over / unit_time;
        let kept = self.offered.saturating_sub(self.dropped + control);
        (carried / kept.max(1) as f64).clamp(0.0, 1.0)
    }

    /// Units accepted, some of which may have been dropped later.
    fn accepted(&self) -> u64 {
        self.offered + self.rare.removed - self.dropped - self.rare.link_control.unwrap_or(0)
    }

    /// The shares of units and packets that were dropped or marked.
    fn losses(&self, unit: PortUnit) -> Vec<Measurement> {
        let ratio = |part: u64, whole: u64| part as f64 / whole.max(1) as f64;
        let mut metrics = Vec::with_capacity(18);
        if unit.is_cells() {
            metrics.push((port::cell_loss_ratio, ratio(self.dropped, self.offered)));
        }
        let of_packets = ratio(self.packets_damaged, self.packets);
        metrics.push((port::packet_loss_ratio, of_packets));
        // Cells of a packet are dropped together, and an overload drops all that there is in one burst,
        // which each run has: no Poisson events.
        if self.rare.bursts.count > 0 && self.packets_damaged > 0 && !unit.is_cells() {
            // A burst has as many packets as its units are a share of all.
            let packet = self.dropped as f64 / self.packets_damaged as f64;
            metrics.push((port::loss_bursts, self.rare.bursts.count as f64));
            metrics.push((
                port::loss_burst_squares,
                self.rare.bursts.squares() as f64 / (packet * packet),
            ));
        }
        if let Some(marked) = self.rare.marked {
            metrics.push((port::marked_share, ratio(marked, self.accepted())));
        }
        metrics
    }
}

/// Octets on the wire, by their fate.
#[derive(Default)]
struct Spent {
    /// User data of greedy flows.
    user: u64,
    /// User data of the other flows, which is a part of the background.
    user_of_others: u64,
    useful: u64,
    duplicate: u64,
    dead: u64,
    background: u64,
    control: u64,
}

impl Spent {
    fn new(vcs: &[VcShare]) -> Spent {
        let mut spent = Spent::default();
        for vc in vcs {
            match (vc.greedy, vc.data) {
                (false, _) => {
                    spent.user_of_others += vc.user;
                    spent.background += vc.useful + vc.other + vc.control + vc.dead;
                }
                (true, false) => spent.control += vc.useful + vc.other + vc.dead,
                (true, true) => {
                    spent.user += vc.user;
                    spent.useful += vc.useful;
                    spent.duplicate += vc.other;
                    spent.control += vc.control;
                    spent.dead += vc.dead;
                }
            }
        }
        spent
    }

    /// Sum of all octets.
    fn total(&self) -> u64 {
        self.useful + self.duplicate + self.dead + self.background + self.control
    }
}

#[cfg(test)]
mod tests {
    use kernel::{Duration, Time};

    use super::*;
    use crate::metrics::{Backlog, Metric, PortMeter};

    #[test]
    fn data_that_has_not_arrived_is_under_way() {
        let mut meter = PortMeter::new(3);
        for vc in [0, 0, 0, 1, 2, 2] {
            meter.accept(vc, 1, true, Duration::ZERO, 0);
        }
        let reading = meter.read(Time::from_ps(30_000_000), Backlog::default());
        let unit = PortUnit::of_cells(53, Duration::from_us(3));
        let greedy = VcShare {
            greedy: true,
            ..VcShare::default()
        };
        let data = VcShare {
            data: true,
            user: 40,
            useful: 53,
            other: 53,
            ..greedy
        };
        let vcs = [
            data,
            VcShare::default(),
            VcShare {
                other: 106,
                ..greedy
            },
        ];
        let metrics = reading.metrics(unit, &vcs);
        let tenths = |wanted: &Metric| -> i64 {
            let found = metrics
                .iter()
                .find(|(metric, _)| *metric == wanted)
                .expect("a metric");
            (found.1 * 10.0).round() as i64
        };
        assert_eq!(tenths(port::utilization), 6);
        assert_eq!(tenths(port::idle_share), 4);
        assert_eq!(
            (tenths(port::useful_share), tenths(port::padding_share)),
            (1, 0)
        );
        assert_eq!(tenths(port::duplicate_share), 1);
        assert_eq!(tenths(port::control_share), 2);
        // One cell of the first VC, and the only cell of the second.
        assert_eq!(tenths(port::underway_share), 2);
    }

    #[test]
    fn no_data_is_under_way_after_all_has_arrived() {
        let data = VcShare {
            data: true,
            greedy: true,
            user: 40,
            useful: 53,
            ..VcShare::default()
        };
        for cells in 1..40 {
            let mut meter = PortMeter::new(1);
            for _ in 0..cells {
                meter.accept(0, 1, true, Duration::ZERO, 0);
            }
            let reading = meter.read(Time::from_ps(700_000_001), Backlog::default());
            let unit = PortUnit::of_cells(53, Duration::from_ps(2_726_337));
            let all = VcShare {
                user: data.user * cells,
                useful: data.useful * cells,
                ..data
            };
            let metrics = reading.metrics(unit, &[all]);
            let found = metrics
                .iter()
                .find(|(metric, _)| *metric == port::underway_share);
            assert_eq!(found.map(|(_, share)| *share), Some(0.0), "{cells} cells");
        }
    }
}
