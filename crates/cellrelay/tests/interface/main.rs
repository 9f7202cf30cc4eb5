//! Tests of the guarantees for programs that embed the simulator.

mod building;
mod examples;
mod families;
mod packets;
mod refusals;
mod steps;

use cellrelay::{Error, Loader, Report, Scenario, Simulation};

const TWO_SENDERS: &str = include_str!("../../examples/two-senders.toml");

/// Two connections through a switch of cells, for a short time.
fn two_senders() -> Scenario {
    let loader = Loader::new().set("duration", "600 ms");
    loader.text(TWO_SENDERS).expect("no mistakes")
}

#[test]
fn threads_may_share_scenarios_and_take_over_runs() {
    fn is_shared<T: Send + Sync>() {}
    fn is_sent<T: Send>() {}
    is_shared::<Scenario>();
    is_shared::<Report>();
    is_shared::<Error>();
    is_sent::<Simulation>();
    let mut simulation = two_senders().simulate(1);
    simulation.run_until(simulation.end());
    let elsewhere = std::thread::spawn(move || simulation.finish());
    assert_eq!(elsewhere.join().unwrap(), two_senders().run(1));
}
