//! The same packet scenario in ns-2, where that is installed, results and time side by side.

use std::process::Command;

use super::machine::children_seconds;
use super::workloads::{PACKET, SMALL, TAIL_DROP, TELNET_PACKET, plan, ten_tcps};
use super::{processor_seconds, run};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/speed/ten-tcp.tcl");

/// Prints both, or how to get the other.
pub fn compare(short: bool) {
    let duration = if short { "0.05 s" } else { "15 s" };
    // What both can do: exact timers, no jitter, no telnet.
    let settings = [
        PACKET,
        TELNET_PACKET,
        TAIL_DROP,
        SMALL,
        (
            "flow.bulk.transport.tcp.timers.ns",
            "{ tick = \"0.1 ms\", min = \"0.2 ms\", initial = \"0.2 s\" }",
        ),
        (
            "flow.bulk.transport.tcp.congestion.tahoe_gbn",
            "{ growth = { at_ssthresh = \"linear\" } }",
        ),
        ("flow.bulk.transport.tcp.initial_ssthresh", "100 %"),
        ("flow.bulk.jitter.packet_time.at_most", "0.0"),
        ("flow.telnet.source.telnet.gap", "1000 s"),
        ("switch.s1.buffer.per_output", "51200 B"),
        ("duration", duration),
    ];
    let plan = plan(&ten_tcps(), &settings);
    let began = processor_seconds();
    let report = run(&plan);
    let ours = processor_seconds() - began;
    let goodput = report.value("network", "goodput").unwrap_or(0.0) / 1e6;
    println!("\nten TCPs in packets of 512 B, drop-tail, 15 s    CPU s   goodput Mbit/s");
    println!("cellrelay                                       {ours:>6.3}   {goodput:.2}");
    let seconds = duration.trim_end_matches(" s");
    let began = children_seconds();
    match Command::new("ns").args([SCRIPT, seconds]).output() {
        Ok(output) if output.status.success() => {
            let printed = String::from_utf8_lossy(&output.stdout);
            let theirs = children_seconds() - began;
            println!(
                "ns-2                                            {theirs:>6.3}   {}",
                printed.trim()
            );
        }
        Ok(output) => println!("ns-2: {}", String::from_utf8_lossy(&output.stderr).trim()),
        Err(_) => println!("ns-2: not installed; on Debian: apt-get install ns2"),
    }
}
