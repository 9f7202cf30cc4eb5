//! Members of families that a program registers: scenarios name, check and run them like built-in
//! members.
//!
//! The tests have an executable of their own, since registered members change the schema.

extern crate cellrelay_scenario as scenario;

#[path = "../common/mod.rs"]
mod common;

use std::sync::Once;

use models::jitter::JitterSpec;
use models::jitter::uniform::Uniform;
use models::link::loss::LossSpec;
use models::link::loss::packet::PacketLoss;
use models::output::discard::{Buffer, Decision, Discard, DiscardKind, DiscardSpec, Occupancy};
use models::output::mark::MarkSpec;
use models::output::mark::threshold::Threshold;
use models::output::scheduler::SchedulerSpec;
use models::output::scheduler::round_robin::RoundRobin;
use models::switch::fabric::FabricSpec;
use models::switch::fabric::immediate::Immediate;
use models::traffic::SourceSpec;
use models::traffic::greedy::Greedy;
use models::transport::tcp::congestion::CongestionSpec;
use models::transport::tcp::congestion::reno::Reno;
use models::wire::cell::Cell;
use parameters::parameters;
use parameters::{Member, NotRegistered, OpenFamily};
use scenario::run::key;
use scenario::{Scenario, generate};

use crate::common::{run, ten_tcp};

parameters! {
    /// Drops cells that would fill more than a part of the buffer.
    pub struct PartDrop {
        /// Part of the buffer that is used.
        #[range(0.1, 1)]
        pub part: f64 = 1.0,
    }
}

impl Member<DiscardSpec> for PartDrop {
    fn build(&self, _buffer: &Buffer) -> Box<dyn Discard> {
        Box::new(State { part: self.part })
    }

    fn answers(&self) -> &(dyn DiscardKind + 'static) {
        self
    }
}

impl DiscardKind for PartDrop {
    fn needs_shared_queue(&self) -> bool {
        false
    }

    fn drop_levels(&self, buffer: &Buffer) -> Vec<(&'static str, u64)> {
        vec![("part", (self.part * buffer.capacity as f64) as u64)]
    }

    fn drops_whole_packets(&self) -> bool {
        false
    }
}

struct State {
    part: f64,
}

impl Discard for State {
    fn admit(&mut self, _cell: &Cell, buffer: Occupancy) -> Decision {
        let most = (self.part * buffer.capacity as f64) as u64;
        if buffer.queued + buffer.size <= most {
            Decision::Accept
        } else {
            Decision::Drop
        }
    }
}

/// Declares twins: registered members that behave like a built-in member.
macro_rules! twins {
    ($($Twin:ident of $Member:ident in $Family:ident, $member:ident answers $answers:expr;)*) => {
        $(
            parameters! {
                /// A registered member with the parameters and the behaviour of a built-in one.
                pub struct $Twin(pub $Member);
            }

            impl Member<$Family> for $Twin {
                fn build(&self, context: &<$Family as OpenFamily>::Context) -> <$Family as OpenFamily>::Product {
                    self.0.build(context)
                }

                fn answers(&self) -> &<$Family as OpenFamily>::Answers {
                    let $member = &self.0;
                    $answers
                }
            }
        )*

        fn register_twins() {
            $($Family::register::<$Twin>("twin", "1").expect("a new name");)*
        }
    };
}

twins! {
    ThresholdTwin of Threshold in MarkSpec, _member answers &();
    RoundRobinTwin of RoundRobin in SchedulerSpec, member answers member;
    RenoTwin of Reno in CongestionSpec, member answers member;
    GreedyTwin of Greedy in SourceSpec, member answers member;
    PacketTwin of PacketLoss in LossSpec, member answers member;
    UniformTwin of Uniform in JitterSpec, _member answers &();
    ImmediateTwin of Immediate in FabricSpec, _member answers &();
}

fn register() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        DiscardSpec::register::<PartDrop>("part_drop", "1").expect("a new name");
        register_twins();
    });
}

/// The digest of a run of the scenario with these settings.
fn digest(settings: &[(&str, &str)]) -> String {
    register();
    run(&ten_tcp(), settings, 0).digest()
}

#[test]
fn a_policy_from_outside_is_read_and_run() {
    let built_in = digest(&[("switch.s1.discard.tail_drop", "{}")]);
    assert_eq!(digest(&[("switch.s1.discard.part_drop", "{}")]), built_in);
    let half = digest(&[("switch.s1.discard.part_drop.part", "0.5")]);
    assert_ne!(half, built_in);
}

#[test]
fn twins_of_members_in_the_tree_give_the_same_numbers() {
    let places = [
        ("switch.s1.mark", "threshold", "{ above = \"50 %\" }"),
        ("switch.s1.scheduler", "round_robin", "{}"),
        ("flow.bulk.transport.tcp.congestion", "reno", "{}"),
        ("flow.bulk.source", "greedy", "{}"),
        ("link.exit.loss", "packet", "\"1 %\""),
        ("flow.bulk.jitter", "uniform", "{ high = \"1 us\" }"),
        ("switch.s1.fabric", "immediate", "{}"),
    ];
    for (family, member, value) in places {
        let [own, twin] = [member, "twin"].map(|kind| format!("{family}.{kind}"));
        assert_eq!(
            digest(&[(&twin, value)]),
            digest(&[(&own, value)]),
            "{family}"
        );
    }
}

#[test]
fn mistakes_are_told_with_place_and_hint() {
    register();
    let problem = |setting: (&str, &str)| {
        let settings = [(setting.0.to_string(), setting.1.to_string())];
        let read = Scenario::read(&ten_tcp(), "x", &settings);
        read.expect_err("a mistake").to_string()
    };
    let problem_of_range = problem(("switch.s1.discard.part_drop.part", "2"));
    assert!(
        problem_of_range.contains("`part` is from `0.1` to `1`"),
        "{problem_of_range}"
    );
    let misspelt = problem(("switch.s1.discard.part_drap", "{}"));
    assert!(misspelt.contains("part_drop"), "{misspelt}");
}

#[test]
fn a_name_is_registered_once() {
    register();
    let taken = DiscardSpec::register::<PartDrop>("tail_drop", "1");
    assert_eq!(taken, Err(NotRegistered::Taken("tail_drop")));
    let again = DiscardSpec::register::<PartDrop>("part_drop", "1");
    assert_eq!(again, Err(NotRegistered::Taken("part_drop")));
    let no_name = DiscardSpec::register::<PartDrop>("part drop", "1");
    assert_eq!(no_name, Err(NotRegistered::NoName("part drop")));
}

#[test]
fn the_schema_lists_it_and_the_key_covers_its_source() {
    register();
    assert!(generate::schema().contains("Part of the buffer that is used."));
    let settings = [("switch.s1.discard.part_drop".to_string(), "{}".to_string())];
    let read = Scenario::read(&ten_tcp(), "x", &settings).expect("no mistakes");
    let form = key::canonical(&read.spec);
    assert!(
        form.contains("# source of switch.s1.discard.part_drop = \"1\"\n"),
        "{form}"
    );
}
