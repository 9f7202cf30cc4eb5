//! A congestion control of one's own beside Reno: additive increase, and a decrease by a factor that
//! the scenario states.
//!
//! `cargo run --example own_congestion_control`

use cellrelay::members::congestion::{
    Ack, CongestionControl, CongestionEvent, CongestionKind, Family, Limits, Reports,
};
use cellrelay::members::{Member, OpenFamily, parameters};

const SCENARIO: &str = include_str!("two-senders.toml");

parameters! {
    /// Additive increase, multiplicative decrease, without slow start.
    pub struct Aimd {
        /// Factor by which a loss multiplies the window.
        #[range(0.1, 0.9)]
        pub factor: f64 = 0.7,
    }
}

impl Member<Family> for Aimd {
    fn build(&self, limits: &Limits) -> Box<dyn CongestionControl> {
        Box::new(State {
            factor: self.factor,
            mss: limits.mss as f64,
            most: limits.window as f64,
            cwnd: limits.initial as f64,
            ssthresh: limits.ssthresh,
        })
    }

    fn answers(&self) -> &(dyn CongestionKind + 'static) {
        self
    }
}

impl CongestionKind for Aimd {
    fn reports(&self) -> Option<Reports> {
        None
    }

    fn needs_exact_marks(&self) -> bool {
        false
    }
}

/// Windows in octets.
struct State {
    factor: f64,
    mss: f64,
    most: f64,
    cwnd: f64,
    ssthresh: u64,
}

impl State {
    fn shrink_to(&mut self, cwnd: f64) {
        self.cwnd = cwnd.max(2.0 * self.mss);
        self.ssthresh = self.cwnd as u64;
    }
}

impl CongestionControl for State {
    fn on_ack(&mut self, _ack: &Ack) {
        self.cwnd = (self.cwnd + self.mss * self.mss / self.cwnd).min(self.most);
    }

    fn on_loss(&mut self, _event: &CongestionEvent) {
        self.shrink_to(self.factor * self.cwnd);
    }

    fn on_timeout(&mut self, _event: &CongestionEvent) {
        self.shrink_to(self.factor * self.cwnd);
        self.cwnd = self.mss;
    }

    fn cwnd(&self) -> u64 {
        self.cwnd as u64
    }

    fn ssthresh(&self) -> u64 {
        self.ssthresh
    }

    fn resume_from(&mut self, octets: u64) {
        self.cwnd = octets as f64;
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    Family::register::<Aimd>("aimd", include_str!("own_congestion_control.rs"))?;
    for control in ["reno", "aimd"] {
        let transport = format!("{{ congestion.{control} = {{}} }}");
        let loader = cellrelay::Loader::new().set("flow.file.transport.tcp", transport);
        let report = loader.text(SCENARIO)?.run(1);
        let goodput = report.value("goodput")? / 1e6;
        let fairness = report.value("fairness_index")?;
        println!("{control}  {goodput:5.2} Mbit/s  fairness {fairness:.3}");
    }
    Ok(())
}
