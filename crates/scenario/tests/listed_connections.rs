//! Tables of connections: their rows agree with the report, and keeping them changes no result.

use std::cell::RefCell;

use kernel::Time;
use models::metrics::ConnectionOutcome;
use scenario::capture::connections::{ConnectionRow, ConnectionTable};
use scenario::report::Report;
use scenario::run::Simulation;

use crate::common::{assert_close, plan, run, seed, value};
use crate::connections::{LOSSY, WEB};

/// One run and its connections; asserts that the report is that of a run without the table.
fn listed(text: &str, settings: &[(&str, &str)], threads: usize) -> (Report, ConnectionTable) {
    let plan = plan(text, settings);
    let found = RefCell::new(ConnectionTable::default());
    let mut simulation = Simulation::new(&plan, seed(0));
    if threads > 1 {
        simulation = simulation.in_parts(plan.division(threads).expect("it can be divided"));
    }
    simulation.list_connections(Box::new(|table| *found.borrow_mut() = table));
    let report = simulation.run(|_| true).expect("nobody stops it");
    assert!(report.scalars == run(text, settings, 0).scalars);
    (report, found.into_inner())
}

/// A second router on the path, so that the network can be divided among threads.
const SECOND_ROUTER: &str = r#"
[router.r2]
buffer.per_output = "100 kB"
[link.middle]
between = ["r1", "r2"]
rate = "10 Mbit/s"
delay = "0.5 ms"
"#;

fn completion_time(row: &ConnectionRow) -> Option<f64> {
    match row.connection.outcome {
        ConnectionOutcome::Completed(time) => Some(time.seconds()),
        _ => None,
    }
}

/// The completion time of a connection, or, if it is open, its age after 20 s.
fn age(row: &ConnectionRow) -> f64 {
    completion_time(row).unwrap_or(20.0 - row.connection.arrived.seconds())
}

#[test]
fn a_row_has_the_times_and_the_counts_of_a_connection() {
    let (_, table) = listed(WEB, &[], 1);
    let rows: Vec<_> = table.rows.iter().map(|row| row.connection).collect();
    let sizes: Vec<u64> = rows.iter().map(|row| row.size).collect();
    assert_eq!(sizes, [960, 960, 96_000]);
    let arrived: Vec<Time> = rows.iter().map(|row| row.arrived).collect();
    let instants = [0, 1_000_000_000_000, 1_000_001_000_000].map(Time::from_ps);
    assert_eq!(arrived, instants);
    // As in `a_connection_takes_a_handshake_and_its_data`.
    let data = 2.0 * 1.3e-3;
    let time = completion_time(&table.rows[0]).expect("it is completed");
    assert_close(time, data + 4.0 * 0.532e-3, 1e-9, "time");
    let slowdown = rows[0].slowdown().expect("it is completed");
    assert_close(slowdown, time / data, 1e-9, "slowdown");
    // A SYN and the data; and for the third 100 packets of data.
    let packets: Vec<u64> = rows.iter().map(|row| row.packets).collect();
    assert_eq!(packets, [2, 2, 101]);
    assert!(
        rows.iter()
            .all(|row| row.retransmitted == 0 && row.class == 0)
    );
    assert_eq!(table.flows[0].group, "web");
    let hosts = table.hosts[0].each_ref().map(|host| host.group.as_str());
    assert_eq!(hosts, ["server", "client"]);
}

#[test]
fn rows_add_up_to_the_report() {
    let text = WEB.replace("\"r1\", \"client\"", "\"r2\", \"client\"") + SECOND_ROUTER;
    for threads in [1, 2] {
        let settings = [LOSSY, &[("duration", "20 s")]].concat();
        let (report, table) = listed(&text, &settings, threads);
        let of = |metric| value(&report, "flow web", metric);
        let count = |outcome: fn(&ConnectionOutcome) -> bool| {
            let rows = table.rows.iter();
            rows.filter(|row| outcome(&row.connection.outcome)).count() as f64
        };
        let completed = count(|one| matches!(one, ConnectionOutcome::Completed(_)));
        let open = count(|one| matches!(one, ConnectionOutcome::Open));
        assert!(completed > 100.0);
        assert_close(completed, of("messages"), 0.0, "completed");
        assert_close(open, of("unfinished_messages"), 0.0, "open");
        // Data may have arrived before its sender knows.
        assert!(open <= of("open_connections"));
        assert_close(table.rows.len() as f64, of("arrivals"), 0.0, "arrivals");
        let sum = |part: fn(&ConnectionRow) -> f64| table.rows.iter().map(part).sum::<f64>();
        let resent = sum(|row| row.connection.retransmitted as f64);
        assert!(resent > 0.0);
        assert_close(resent, of("packets_retransmitted"), 0.0, "retransmissions");
        let timeouts = sum(|row| f64::from(row.connection.timeouts));
        assert_close(timeouts, of("timeouts"), 0.0, "timeouts");
        // Further packets acknowledge the FIN of the receiver, once or more often.
        let packets = sum(|row| row.connection.packets as f64);
        assert!(packets + completed <= of("packets_sent"));
        // What is open counts with its age.
        let times = sum(age);
        let mean = of("mean_completion_time");
        let count = completed + open;
        assert_close(times / count, mean, 1e-9, "mean completion time");
        let slowdowns = sum(|row| age(row) / row.connection.idle.seconds());
        assert_close(slowdowns / count, of("mean_slowdown"), 1e-9, "slowdown");
    }
}

#[test]
fn refused_connections_have_rows_without_packets() {
    let settings = [
        (
            "flow.web.source.connections",
            "{ arrivals.poisson.gap = \"10 ms\", size.constant = \"100 kB\", most = 4 }",
        ),
        ("duration", "2 s"),
    ];
    let (report, table) = listed(WEB, &settings, 1);
    let refused: Vec<&ConnectionRow> = table
        .rows
        .iter()
        .filter(|row| row.connection.outcome == ConnectionOutcome::Refused)
        .collect();
    let counted = value(&report, "flow web", "refused_arrivals");
    assert_close(refused.len() as f64, counted, 0.0, "refused");
    assert!(refused.iter().all(|row| row.connection.packets == 0));
    // Numbers are those of the arrivals, refused ones included.
    assert!(
        (1..)
            .zip(&table.rows)
            .all(|(number, row)| row.number == number)
    );
}
