//! The scenario file, the root of all parameters.

mod replications;
pub(crate) mod topology;

use std::sync::LazyLock;

use kernel::{Duration, Time};
use models::edge::EdgeSpec;
use models::flow::FlowSpec;
use models::host::HostSpec;
use models::link::LinkSpec;
use models::output::discard::Trimming;
use models::router::RouterSpec;
use models::switch::SwitchSpec;
use models::wire::format::{CellFormat, CellFormatSpec};
use parameters::record::Conflict;
use parameters::{Named, Parameter, Shape, parameters};

use crate::sweep::Sweep;
use replications::Replications;
use topology::TopologySpec;

parameters! {
    /// A scenario: a network, the flows through it, and the number of runs.
    #[check(check)]
    pub struct ScenarioSpec {
        /// Title of the scenario, in one line.
        pub title: String = "",
        /// Simulated time, warm-up included.
        #[alias("stop_time")]
        #[alias("simulation_time")]
        #[range("1 ps", "1000 h")]
        pub duration: Duration,
        /// Time at the start that is not measured.
        #[alias("transient")]
        pub warm_up: Duration = "0 s",
        /// Number of batches: parts of equal length after the warm-up, each measured by itself,
        /// which give one long run a confidence interval; if not given, one.
        #[range(2, 100_000)]
        pub batches: Option<u32>,
        /// Seed of all random numbers.
        pub seed: u64 = 1,
        /// Format of the cells of the network; if not given, ATM cells of 53 octets, with AAL5.
        pub cell: Option<CellFormatSpec>,
        /// Hosts and groups of hosts, by name.
        pub host: Named<HostSpec>,
        /// Switches, by name.
        pub switch: Named<SwitchSpec>,
        /// Routers, by name.
        pub router: Named<RouterSpec>,
        /// Edge routers and groups of them, by name.
        pub edge: Named<EdgeSpec>,
        /// Links between hosts, switches, routers and edges, by name.
        pub link: Named<LinkSpec>,
        /// Topology with a name, which stands for many nodes and links; if not given, none.
        pub topology: Option<TopologySpec>,
        /// Flows between hosts, by name.
        pub flow: Named<FlowSpec>,
        /// Parameters that vary. An axis is a path in quotes with a list of its values, or a name
        /// with a table of points, each a table of paths and values; `without` lists combinations
        /// to leave out, each a table of axes with a value or a list of values.
        pub sweep: Sweep,
        /// Number of runs of each point.
        #[alias("runs")]
        #[alias("repetitions")]
        pub replications: Replications = {},
        /// Recording of queues, drops and flows over time; if not given, none.
        pub record: Option<RecordSpec>,
    }

    /// Records the queue and the drops of every port, the state of every sender, and the data
    /// delivered by every flow, over time.
    pub struct RecordSpec {
        /// Time between samples.
        #[range("1 ns", "1 h")]
        pub every: Duration = "1 ms",
    }
}

impl ScenarioSpec {
    /// The shape of a scenario, computed once.
    pub fn known_shape() -> &'static Shape {
        static SHAPE: LazyLock<Shape> = LazyLock::new(ScenarioSpec::shape);
        &SHAPE
    }

    /// Format of the cells of the network.
    pub fn cells(&self) -> CellFormat {
        let spec = self.cell.as_ref();
        spec.map_or(CellFormat::ATM, CellFormatSpec::format)
    }

    /// Names of the switches whose discard policy decides about each cell, not about whole packets.
    pub fn switches_dropping_cells(&self) -> impl Iterator<Item = &str> {
        let switches = self.switch.iter();
        let dropping = switches.filter(|(_, switch)| !switch.discard.drops_whole_packets());
        dropping.map(|(name, _)| name)
    }

    /// What the switches and routers that trim do, table by table.
    fn trimming(&self) -> impl Iterator<Item = Trimming> {
        let switches = self.switch.iter().map(|(_, switch)| &switch.discard);
        let routers = self.router.iter().map(|(_, router)| &router.discard);
        let discards = switches.chain(routers);
        discards.filter_map(|discard| discard.trimming())
    }

    /// Octets of the smallest trimmed packet in the network; none if no output trims.
    pub fn smallest_trimmed(&self) -> Option<u64> {
        let octets = self.trimming().map(|one| u64::from(one.octets));
        octets.min()
    }

    /// True if an output sends packets back to their senders.
    pub fn returns_packets(&self) -> bool {
        self.trimming().any(|one| one.returns)
    }

    /// The ends of the batches; the last is the end of the scenario.
    pub fn batch_ends(&self) -> impl Iterator<Item = Time> {
        let count = u64::from(self.batches.unwrap_or(1));
        let start = Time::ZERO + self.warm_up;
        let span = self.duration.saturating_sub(self.warm_up);
        (1..=count).map(move |batch| {
            let passed = u128::from(span.ps()) * u128::from(batch) / u128::from(count);
            start + Duration::from_ps(u64::try_from(passed).expect("a part of the span"))
        })
    }

    fn check(&self) -> Option<Conflict> {
        (self.warm_up >= self.duration).then(|| Conflict {
            name: "warm_up",
            problem: format!(
                "`warm_up` must be shorter than `duration` (`{}`)",
                self.duration
            ),
            hint: format!(
                "write for example `warm_up = \"{}\"`, or a longer `duration`",
                self.duration / 10
            ),
        })
    }
}
