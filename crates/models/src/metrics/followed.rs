//! Messages that began in the measured time: how long each took, or, if it had not ended, how old it
//! was when the counts were read.
//!
//! An age is a right-censored time: the message would have taken longer. Kaplan and Meier,
//! "Nonparametric Estimation from Incomplete Observations", Journal of the American Statistical
//! Association 53(282), 1958, estimate quantiles from both. Their estimate needs messages whose
//! times do not depend on the instants at which they began, so the two halves of the measured time
//! are kept apart, for a comparison.

use kernel::{Duration, Time};

use super::histogram::Histogram;

/// The measured time, whose halves tell messages apart by the instants at which they began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Halves {
    /// Beginning of the measured time.
    pub from: Time,
    /// Beginning of its second half.
    pub middle: Time,
}

/// Times of messages by the half of the measured time in which they began.
pub type ByHalf = [Histogram; 2];

impl Halves {
    /// The halves of the time from `from` to `end`.
    pub fn of(from: Time, end: Time) -> Halves {
        Halves {
            from,
            middle: from + Duration::from_ps(end.since(from).ps() / 2),
        }
    }

    /// The half in which a message began; none before the measured time.
    pub fn half(self, began: Time) -> Option<usize> {
        (began >= self.from).then(|| usize::from(began >= self.middle))
    }

    /// Counts a time of a message that began at `began`, unless that was before the measured time.
    pub fn record(self, times: &mut ByHalf, began: Time, time: Duration) {
        if let Some(half) = self.half(began) {
            times[half].record(time);
        }
    }
}

/// A message whose sender does not know yet that it is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Underway {
    /// Time at which it was handed to the transport.
    pub began: Time,
    /// The end by which its receiver knows it.
    pub end: MessageEnd,
    /// The time that it would take on an idle path, if it is a connection.
    pub idle: Option<Duration>,
    /// Class of its size, if it is a connection: 0 for short, 1 for medium and 2 for long.
    pub class: usize,
    /// Its place in the list of connections, if there is one.
    pub place: usize,
}

/// The end of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageEnd {
    /// The message ends before the octet with this number of a flow that is a single connection.
    Octet(u64),
    /// The message is the data of the connection whose first octet has this number.
    Connection(u64),
    /// The message ends when the step ends, which its sender knows.
    Step,
}

/// Messages of a flow or of several, which began in the measured time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Followed {
    /// Times of those that have ended.
    pub ended: ByHalf,
    /// Ages of those that have not.
    pub open: ByHalf,
    /// For each flow of whose messages none has ended, the age of the oldest.
    pub starved: Histogram,
    /// Number of flows in which a message began.
    pub flows: u64,
}

impl Followed {
    /// The messages of one flow, from the times of those that have ended.
    pub fn of_flow(ended: ByHalf) -> Followed {
        Followed {
            ended,
            ..Followed::default()
        }
    }

    /// Counts the flow whose messages these are, after the last of them.
    pub fn close(&mut self) {
        let [ended, open] = [&self.ended, &self.open].map(joined);
        self.flows = u64::from(ended.count() + open.count() > 0);
        if let (0, Some([_, oldest])) = (ended.count(), open.ends()) {
            self.starved.record(oldest);
        }
    }

    /// Adds the messages of other flows.
    pub fn add(&mut self, other: &Followed) {
        for (mine, theirs) in [
            (&mut self.ended, &other.ended),
            (&mut self.open, &other.open),
        ] {
            mine.iter_mut().zip(theirs).for_each(|(to, of)| to.add(of));
        }
        self.starved.add(&other.starved);
        self.flows += other.flows;
    }

    /// Number of messages that have not ended.
    pub fn unfinished(&self) -> u64 {
        self.open.iter().map(Histogram::count).sum()
    }
}

/// The times of both halves.
pub fn joined(times: &ByHalf) -> Histogram {
    let mut all = times[0].clone();
    all.add(&times[1]);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: fn(u64) -> Time = Time::from_ps;
    const PS: fn(u64) -> Duration = Duration::from_ps;

    #[test]
    fn a_message_that_began_before_the_measured_time_is_not_counted() {
        let halves = Halves::of(AT(100), AT(200));
        let begun = [99, 100, 149, 150, 199];
        let found = begun.map(|began| halves.half(AT(began)));
        assert_eq!(found, [None, Some(0), Some(0), Some(1), Some(1)]);
        let mut times = ByHalf::default();
        for began in begun {
            halves.record(&mut times, AT(began), PS(7));
        }
        assert_eq!(times.each_ref().map(Histogram::count), [2, 2]);
    }

    #[test]
    fn a_flow_of_whose_messages_none_ended_is_starved_since_the_oldest_began() {
        let mut starved = Followed::default();
        for age in [3, 9, 5] {
            starved.open[0].record(PS(age));
        }
        starved.close();
        let mut served = Followed::of_flow(ByHalf::default());
        served.ended[1].record(PS(2));
        served.open[1].record(PS(100));
        served.close();
        let mut idle = Followed::default();
        idle.close();
        for other in [&served, &idle] {
            starved.add(other);
        }
        assert_eq!((starved.flows, starved.unfinished()), (2, 4));
        assert_eq!(starved.starved.count(), 1);
        assert_eq!(starved.starved.ends(), Some([PS(9); 2]));
        assert_eq!(joined(&starved.ended).count(), 1);
    }
}
