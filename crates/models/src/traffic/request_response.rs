//! Requests and responses: a client sends a request, waits for the response, thinks, and sends the
//! next request.
//!
//! A closed loop with a think time is the model of interactive users in Kleinrock, "Queueing
//! Systems", volume 2, 1976. Here the flow is that of the responses, from the server. Our own
//! simplification: a request is no packet of its own, because the data of a flow travels one way;
//! it travels with the acknowledgment that ends the response before it, or after the think time.
//! The model therefore fits requests of a few octets over an uncongested path.

use kernel::Time;
use parameters::{RandomTime, parameters};

use super::length::LengthSpec;
use super::{Application, Demand, OnLink, PacketSizes, Source, SourceKind, Spacing, Turns};

parameters! {
    /// Sends responses; each is requested some time after the response before it has arrived.
    #[alias("http")]
    #[alias("rpc")]
    pub struct RequestResponse {
        /// Length of responses, in bytes.
        pub response: LengthSpec,
        /// Think time, from the acknowledgment of a response to the next response; the next request
        /// falls into this time.
        pub think: RandomTime = { exponential = { mean = "1 s" } },
        /// Time of the first response; drawn for each member of a group.
        pub start: RandomTime = "0 s",
    }
}

impl RequestResponse {
    /// The source of one flow.
    pub fn build(&self, application: &Application) -> Box<dyn Source> {
        let start = self.start.draw(&mut application.stream("start"));
        Box::new(Turns {
            messages: self.response.messages(application),
            pause: self.think,
            random: application.stream("think"),
            left: u64::MAX,
            first: Some(Time::ZERO + start),
        })
    }
}

impl SourceKind for RequestResponse {
    fn start(&self) -> RandomTime {
        self.start
    }

    fn demand(&self) -> Demand<'_> {
        Demand::Turns(("response", &self.response))
    }

    fn spacing(&self, _packets: &PacketSizes) -> Option<Spacing> {
        None
    }

    fn load(&self, _link: &OnLink) -> Option<(&'static str, f64)> {
        None
    }
}

#[cfg(test)]
mod tests {
    use parameters::{understand, value};

    use super::*;
    use crate::traffic::tests::application;

    #[test]
    fn pauses_and_responses_have_the_given_means_and_variances() {
        let source: RequestResponse = understand(&value!({
            response = { geometric = { mean = "2 kB" } },
            think = { exponential = { mean = "30 ms" } }
        }))
        .expect("a source");
        let mut source = source.build(&application(1000));
        let count = 100_000;
        let mut now = source.next().expect("the first").at;
        let mut samples = [Vec::new(), Vec::new()];
        for _ in 0..count {
            let write = source.on_acknowledged(now).expect("it never ends");
            samples[0].push(write.at.since(now).seconds() / 0.03);
            samples[1].push(write.octets as f64 / 2000.0);
            now = write.at;
        }
        // The bounds are five standard errors; think times and responses have standard deviations
        // of about their means, and fourth central moments of about nine times the variance
        // squared.
        let error = 5.0 / f64::from(count).sqrt();
        for samples in samples {
            let mean = samples.iter().sum::<f64>() / f64::from(count);
            let squares = samples.iter().map(|sample| (sample - mean).powi(2));
            let variance = squares.sum::<f64>() / f64::from(count);
            assert!((mean - 1.0).abs() < error, "{mean}");
            assert!(
                (variance - 1.0).abs() < 8.0_f64.sqrt() * error,
                "{variance}"
            );
        }
    }
}
