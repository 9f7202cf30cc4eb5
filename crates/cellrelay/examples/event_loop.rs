//! Runs the network in the event loop of another program: the events of both happen in order of
//! time, and an event of the program reads the network as it is at that instant.
//!
//! `cargo run --example event_loop`

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use cellrelay::{Duration, Error, Loader, Scope, Simulation, Tap, Time};

const SCENARIO: &str = include_str!("two-senders.toml");

/// The events of the program. Simultaneous events happen in the order of this list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// Reads the queue length, and schedules the next reading.
    Look,
    /// Counts the packets that left the switch, and schedules the next count.
    Count,
    /// Ends the loop.
    Stop,
}

fn main() {
    if let Err(error) = run() {
        eprintln!("error: {error}");
        std::process::exit(1);
    }
}

fn run() -> Result<(), Error> {
    let scenario = Loader::new().set("duration", "5 s").text(SCENARIO)?;
    let mut network = scenario.simulate(scenario.seed());
    // The last output on the path of the data feeds the slow link.
    let flows = scenario.flows();
    let slow = flows[0].path.last().expect("a path has links");
    let tap = network.tap(slow)?;
    let slow = Scope::Port(slow.clone());

    let mut events = BinaryHeap::from([
        Reverse((ms(1500), Event::Look)),
        Reverse((ms(2000), Event::Count)),
        Reverse((ms(2000), Event::Stop)),
    ]);
    while let Some(Reverse((at, event))) = events.pop() {
        network.run_until(at);
        let next = match event {
            Event::Look => look(&mut network, &slow)?,
            Event::Count => count(&mut network, tap),
            Event::Stop => break,
        };
        events.push(Reverse((at + next, event)));
    }

    let report = network.finish();
    println!("at the end, {:.2} Mbit/s", report.value("goodput")? / 1e6);
    assert_eq!(
        report,
        scenario.run(scenario.seed()),
        "the loop changed nothing"
    );
    Ok(())
}

fn look(network: &mut Simulation, slow: &Scope) -> Result<Duration, Error> {
    let queue = network.read(slow, "queue")?;
    println!("{}: {queue} cells wait", network.now());
    Ok(Duration::from_ms(100))
}

fn count(network: &mut Simulation, tap: Tap) -> Duration {
    let sizes: Vec<u32> = network.packets(tap).map(|packet| packet.octets).collect();
    let octets: u32 = sizes.iter().sum();
    println!(
        "{}: {} more packets, {octets} octets",
        network.now(),
        sizes.len()
    );
    Duration::from_ms(250)
}

fn ms(milliseconds: u64) -> Time {
    Time::ZERO + Duration::from_ms(milliseconds)
}
