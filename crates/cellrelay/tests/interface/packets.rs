//! The packets of an output agree with the counts of its report.

use cellrelay::{Duration, Fate, Loader, Packet, Place, Scenario, Scope, Time};

use crate::{TWO_SENDERS, two_senders};

/// The output in front of the slow link.
fn slow(scenario: &Scenario) -> Place {
    scenario.flows()[0].path.last().unwrap().clone()
}

/// All packets of the slow link, taken in steps, and the number of data packets that passed.
fn all(scenario: &Scenario, step: Duration) -> Vec<Packet> {
    let mut simulation = scenario.simulate(1);
    let tap = simulation.tap(&slow(scenario)).unwrap();
    assert_eq!(simulation.tap(&slow(scenario)).unwrap(), tap);
    let mut packets = Vec::new();
    while !simulation.has_ended() {
        simulation.run_for(step);
        packets.extend(simulation.packets(tap));
    }
    assert_eq!(
        simulation.finish(),
        scenario.run(1),
        "a tap changes nothing"
    );
    packets
}

#[test]
fn packets_are_the_same_however_often_they_are_taken() {
    let packets = all(&two_senders(), Duration::from_ms(7));
    assert!(packets.is_sorted_by_key(|packet| packet.at));
    assert_eq!(packets, all(&two_senders(), Duration::MAX));
}

#[test]
fn whole_packets_take_the_time_that_the_rate_says() {
    let scenario = Loader::new()
        .set("duration", "600 ms")
        .set("flow.file.over.packet", "{}")
        .text(TWO_SENDERS)
        .unwrap();
    let packets = all(&scenario, Duration::from_ms(100));
    assert!(packets.len() > 500);
    let mut free = Time::ZERO;
    for packet in &packets {
        assert!(packet.at >= free, "two packets at once");
        assert!(!packet.back && packet.cells == 0 && packet.fate == Fate::Whole);
        assert!(packet.sent < packet.at);
        let bits = u64::from(packet.octets) * 8;
        free = packet.at + Duration::from_seconds_f64(bits as f64 / 25.6e6);
    }
}

#[test]
fn cells_of_packets_are_those_that_the_output_sent() {
    let scenario = two_senders();
    let packets = all(&scenario, Duration::from_ms(100));
    let whole = packets.iter().filter(|packet| packet.fate == Fate::Whole);
    let cells: u64 = whole.map(|packet| u64::from(packet.cells)).sum();
    let report = scenario.run(1);
    let utilization = report.get(&Scope::Port(slow(&scenario)), "utilization");
    let sent = utilization.unwrap() * 0.6 * 25.6e6 / (53.0 * 8.0);
    let damaged: u64 = packets
        .iter()
        .filter_map(|packet| match packet.fate {
            Fate::Damaged { cells } => Some(u64::from(cells)),
            _ => None,
        })
        .sum();
    // A PDU may still be in transmission at the end of the run.
    assert!(
        (sent - (cells + damaged) as f64).abs() < 200.0,
        "{sent} {cells}"
    );
}

#[test]
fn an_output_that_is_not_there_has_no_tap() {
    let scenario = two_senders();
    let mut place = slow(&scenario);
    place.to.group = "nowhere".to_string();
    let refused = scenario.simulate(1).tap(&place).unwrap_err().to_string();
    assert_eq!(
        refused,
        "there is no output `s1->nowhere`\n  hint: `Scenario::links` gives all outputs"
    );
}
