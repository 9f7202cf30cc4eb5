//! Priority-based flow control: each of the eight priorities of a link is paused by itself.
//!
//! IEEE 802.1Qbb, "Priority-based Flow Control", 2011: clause 36 and Annex O, which adds up the
//! delays that headroom must cover; IEEE 802.3, Annex 31D: frames of 64 octets with a time for each
//! priority, in quanta of 512 bit times, where zero resumes. The response times are the `pause
//! quanta` of the headroom formula of `SONiC`, "dynamically headroom calculation", by rate.

use kernel::{Duration, Rate};
use parameters::{BufferSize, Bytes, Conflict, parameters};

use super::{DynamicThresholdSpec, PauseDemand, PauseFrames, PausedLink};
use crate::wire::between::ordered_set::OrderedSet;
use crate::wire::priority::{Priority, PrioritySet};

parameters! {
    /// Priority-based flow control, IEEE 802.1Qbb.
    #[alias("priority_flow_control")]
    #[check(check)]
    pub struct Pfc {
        /// The priorities that are paused, and so lose nothing; if not given, all eight.
        pub priorities: Option<Vec<Priority>>,
        /// Threshold of an input and a priority: if they hold more, the far end of the link is paused.
        /// If not given, an equal share of what the headrooms leave of the buffer.
        pub xoff: Option<BufferSize>,
        /// Threshold of an input and a priority that follows the free memory, in the place of `xoff`.
        pub dynamic: Option<DynamicThresholdSpec>,
        /// Threshold of an input and a priority: if they hold no more, the far end is resumed. If not
        /// given, half of the one above which it is paused.
        pub xon: Option<BufferSize>,
        /// Most that an input and a priority hold beyond the threshold; packets beyond it are dropped. If
        /// not given, what the far end may send until it stops.
        pub headroom: Option<BufferSize>,
        /// Length of a pause in quanta of 512 bit times; a pause that goes on is refreshed after half
        /// of it.
        #[range(1, 65_535)]
        pub quanta: u32 = 65_535,
        /// Time in which the far end obeys a pause frame; if not given, the worst case that SONiC
        /// assumes for the rate of the link.
        #[range("0 s", "1 s")]
        pub response: Option<Duration>,
        /// Octets of a pause frame on the link: 64, and 20 of preamble and gap.
        #[range("64 B", "1 KiB")]
        pub frame: Bytes = "84 B",
    }
}

/// Bits of a quantum.
const QUANTUM: u64 = 512;

/// Pause quanta within which hardware obeys, from this rate on, in Gbit/s: `asic_table.j2` and
/// `buffer_headroom_mellanox.lua` of `SONiC`.
const RESPONSES: [(u64, u64); 7] = [
    (10, 67),
    (25, 80),
    (40, 118),
    (50, 147),
    (100, 394),
    (200, 453),
    (400, 905),
];

impl Pfc {
    fn check(&self) -> Option<Conflict> {
        if self.priorities.as_ref().is_some_and(Vec::is_empty) {
            return Some(Conflict {
                name: "priorities",
                problem: "no priority is paused".to_string(),
                hint: "list some of the numbers from `0` to `7`, or leave `priorities` out"
                    .to_string(),
            });
        }
        let both = self.xoff.is_some() && self.dynamic.is_some();
        both.then(|| Conflict {
            name: "dynamic",
            problem: "`xoff` is given too".to_string(),
            hint: "a threshold is static or follows the free memory: leave one out".to_string(),
        })
    }

    /// The pauses of a link in one direction.
    pub fn build(&self, link: &PausedLink) -> PauseDemand {
        let frames = PauseFrames {
            octets: u32::try_from(self.frame.0).expect("the range bounds frames to 1 KiB"),
            quanta: u16::try_from(self.quanta).expect("the range bounds quanta"),
            lasts: link.rate.transmission(u64::from(self.quanta) * QUANTUM),
            response: self.response.unwrap_or_else(|| response(link.rate)),
        };
        PauseDemand {
            priorities: self.paused(),
            xoff: self.xoff,
            dynamic: self.dynamic.as_ref().map(DynamicThresholdSpec::build),
            xon: self.xon,
            headroom: self.headroom,
            in_flight: in_flight(link, &frames),
            frames,
        }
    }

    /// The priorities that are paused.
    pub fn paused(&self) -> PrioritySet {
        match &self.priorities {
            None => PrioritySet::ALL,
            Some(priorities) => priorities.iter().copied().collect(),
        }
    }
}

/// The response time that `SONiC` assumes at a rate.
fn response(rate: Rate) -> Duration {
    let listed = RESPONSES.iter().rev();
    let mut slower =
        listed.filter(|(gigabits, _)| gigabits * 1_000_000_000 <= rate.bits_per_second());
    let (_, quanta) = slower.next().unwrap_or(&RESPONSES[0]);
    rate.transmission(quanta * QUANTUM)
}

/// Octets that may arrive after a packet has crossed xoff.
///
/// The pause frame waits for the end of a packet, or of another pause frame, is sent, and passes the
/// cable; the far end then obeys it within its response time, and ends a packet that it has just
/// started; and what is on the cable arrives. All of this time the link may be busy. With retry the
/// frame also waits for ordered sets, and pauses do not stop replays, which may bring all that the
/// replay buffer holds.
fn in_flight(link: &PausedLink, frames: &PauseFrames) -> u64 {
    let time = |octets: u64| link.rate.transmission(octets * 8);
    let frame = u64::from(frames.octets);
    let span = time(link.against.max(frame))
        + time(frame)
        + time(link.replay.map_or(0, |_| OrderedSet::BEFORE_CONTROL))
        + link.propagation * 2
        + frames.response
        + time(link.largest);
    // A packet takes a whole number of picoseconds, so it may take half of one less than its octets
    // do. Random ties delay both the packet and the frame by one.
    let packets = span.ps() / time(link.smallest).ps().max(1) + 1;
    let span = u128::from(span.ps() + packets + 2);
    let bits = span * u128::from(link.rate.bits_per_second());
    let octets = u64::try_from(bits.div_ceil(8_000_000_000_000)).unwrap_or(u64::MAX);
    octets.saturating_add(link.replay.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use parameters::{understand, value};

    use super::*;

    fn link(gigabits: u64, metres: u64) -> PausedLink {
        PausedLink {
            rate: Rate::from_bits_per_second(gigabits * 1_000_000_000),
            propagation: Duration::from_ps(metres * 5_000),
            largest: 1000,
            smallest: 1000,
            against: 500,
            replay: None,
        }
    }

    #[test]
    fn the_octets_in_flight_are_those_of_the_whole_loop() {
        let pfc: Pfc = understand(&value!({ response = "1 us" })).expect("pauses");
        // At 8 Gbit/s an octet takes a nanosecond: 500 and 84 for the frame, 2 x 100 on 20 m of
        // cable, 1000 for the response and 1000 for the packet that has started.
        let demand = pfc.build(&link(8, 20));
        assert_eq!(demand.in_flight, 500 + 84 + 200 + 1000 + 1000 + 1);
        // A metre more takes 5 ns more each way.
        let longer = pfc.build(&link(8, 21));
        assert_eq!(longer.in_flight - demand.in_flight, 10);
    }

    #[test]
    fn with_retry_the_replay_buffer_may_arrive_too() {
        let pfc: Pfc = understand(&value!({})).expect("pauses");
        let with_retry = PausedLink {
            replay: Some(9000),
            ..link(8, 20)
        };
        let more = pfc.build(&with_retry).in_flight - pfc.build(&link(8, 20)).in_flight;
        assert_eq!(more, 4 * 8 + 9000);
    }

    #[test]
    fn hardware_obeys_within_the_quanta_of_its_rate() {
        let quanta = |gigabits| response(link(gigabits, 0).rate).ps() * gigabits / 512_000;
        let rates = [1, 10, 25, 40, 50, 100, 200, 400, 800];
        let listed = [67, 67, 80, 118, 147, 394, 453, 905, 905];
        assert_eq!(rates.map(quanta), listed);
    }

    #[test]
    fn a_pause_lasts_its_quanta() {
        let pfc: Pfc = understand(&value!({ quanta = 100 })).expect("pauses");
        let frames = pfc.build(&link(8, 0)).frames;
        assert_eq!(frames.lasts, Duration::from_ps(100 * 64_000));
        assert_eq!(frames.refresh() * 2, frames.lasts);
    }

    #[test]
    fn a_threshold_is_static_or_dynamic() {
        let refused = |written| understand::<Pfc>(&written).is_err();
        assert!(refused(value!({ xoff = "9 kB", dynamic = {} })));
        for power in [-9_i64, 8] {
            assert!(refused(value!({ dynamic = { power = power } })));
        }
        let pfc: Pfc = understand(&value!({ dynamic = {} })).expect("pauses");
        let dynamic = pfc.build(&link(8, 0)).dynamic.expect("a dynamic threshold");
        assert_eq!(dynamic.multiple.of(1000), 1000);
    }

    #[test]
    fn there_are_eight_priorities_to_choose_from() {
        let refused = |written| understand::<Pfc>(&written).is_err();
        assert!(refused(value!({ priorities = [3, 8] })));
        assert!(refused(value!({ priorities = [] })));
        let pfc: Pfc = understand(&value!({ priorities = [3, 4] })).expect("pauses");
        assert_eq!(
            pfc.paused().iter().map(Priority::index).collect::<Vec<_>>(),
            [3, 4]
        );
    }
}
