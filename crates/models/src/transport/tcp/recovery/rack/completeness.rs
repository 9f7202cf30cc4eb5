//! RACK is complete: whatever was sent before the latest segment that has arrived is lost, or a timer
//! runs for it. Random histories, checked by looking at each segment after each event.

use kernel::{Duration, Seed, Stream, Time};

use super::*;

const MSS: u64 = 10;

/// A sender and its receiver, without congestion control.
struct History {
    random: Stream,
    now: Time,
    out: Outstanding,
    recovery: RackRecovery,
    /// Flag for each segment: true if it has arrived.
    arrived: Vec<bool>,
    /// Time for which the sender set its timer.
    timer: Option<Time>,
}

impl History {
    fn new(number: u64) -> History {
        let seed = Seed {
            seed: number,
            replication: 0,
        };
        History {
            random: seed.stream("f", "history"),
            now: Time::ZERO,
            out: Outstanding {
                mss: MSS,
                threshold: 3,
                ..Outstanding::default()
            },
            recovery: RackRecovery::default(),
            arrived: Vec::new(),
            timer: None,
        }
    }

    /// One event, and the time before it.
    fn step(&mut self) {
        self.now += Duration::from_ms(self.random.below(30));
        match self.random.below(20) {
            0..6 => (0..=self.random.below(4)).for_each(|_| self.send()),
            6..9 => self.repeat(),
            9 if self.out.flight() > 0 => self.time_out(),
            10..12 => self.detect(),
            _ => self.acknowledge(),
        }
    }

    fn send(&mut self) {
        let start = self.out.max;
        self.out.max = start + MSS;
        self.out.nxt = self.out.max;
        self.arrived.push(false);
        self.recovery.on_sent(self.now, start, start + MSS);
    }

    /// The first lost segment is sent again, or the last as a probe.
    fn repeat(&mut self) {
        let segments = &self.recovery.segments;
        if let Some(segment) = segments.first_lost().or(segments.last()) {
            self.recovery.on_sent(self.now, segment.start, segment.end);
        }
    }

    fn time_out(&mut self) {
        self.recovery.on_timeout(self.now, &mut self.out);
        self.out.recover = self.out.max;
    }

    /// Some segments arrive in any order; one acknowledgment reports them, with a part of the blocks.
    fn acknowledge(&mut self) {
        let from = (self.out.una / MSS) as usize;
        let outstanding = self.arrived.len() - from;
        if outstanding == 0 {
            return;
        }
        for _ in 0..=self.random.below(3) {
            let which = from + self.random.below(outstanding as u64) as usize;
            self.arrived[which] = true;
        }
        let ack = self.arrived.iter().take_while(|arrived| **arrived).count() as u64 * MSS;
        let mut segment = Segment::acknowledgment(ack);
        for number in ack / MSS..self.arrived.len() as u64 {
            if self.arrived[number as usize]
                && segment.sacks().len() < 4
                && self.random.below(3) > 0
            {
                segment.push_sack(number * MSS, number * MSS + MSS);
            }
        }
        self.out.report(&segment);
        self.recovery.on_report(self.now, &self.out, &segment);
        self.out.acknowledge(ack);
        if self.out.recovered() {
            self.recovery.phase.undo();
        }
        self.detect();
    }

    fn detect(&mut self) {
        let found = self
            .recovery
            .detect(self.now, &self.out, Duration::from_ms(50));
        if found.begins {
            self.out.recover = self.out.max;
            self.recovery.begin(&mut self.out);
        }
        self.timer = found.next;
        self.check();
    }

    /// Each segment is looked at, in whatever order they were sent.
    fn check(&mut self) {
        let RackRecovery {
            segments,
            detection,
            ..
        } = &mut self.recovery;
        let waiting = segments.on_their_way();
        let overtaken = waiting.filter(|segment| detection.has_overtaken(segment));
        let due = overtaken.map(|segment| detection.due(segment)).max();
        assert!(due.is_none_or(|due| due > self.now), "a loss is not found");
        assert_eq!(due, self.timer, "the time of the next loss");
    }
}

#[test]
fn no_segment_that_a_later_one_has_overtaken_is_forgotten() {
    for number in 0..10_000 {
        let mut history = History::new(number);
        (0..60).for_each(|_| history.step());
    }
}
