//! The scenario file itself, from which everything else hangs.

use std::sync::LazyLock;

use kernel::{Duration, Time};
use models::edge::EdgeSpec;
use models::flow::FlowSpec;
use models::host::HostSpec;
use models::link::LinkSpec;
use models::router::RouterSpec;
use models::switch::SwitchSpec;
use parameters::record::Conflict;
use parameters::{Named, Parameter, Shape, parameters};

use crate::replications::Replications;
use crate::sweep::Sweep;
use crate::topology::TopologySpec;

parameters! {
    /// A scenario: a network, what flows through it, and how often it is run.
    #[check(check)]
    pub struct ScenarioSpec {
        /// What the scenario shows, in a line.
        pub title: String = "",
        /// Simulated time.
        #[range("1 ps", "1000 h")]
        pub duration: Duration,
        /// Time at the start that nothing is measured in.
        pub warm_up: Duration = "0 s",
        /// Parts of equal length, after the warm-up, that are measured each for itself, so that one
        /// long run has an interval; one part, if not given.
        #[range(2, 100_000)]
        pub batches: Option<u32>,
        /// What random numbers are derived from.
        pub seed: u64 = 1,
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
        /// Nodes and links that make a topology with a name, if there is one.
        pub topology: Option<TopologySpec>,
        /// Flows between hosts, by name.
        pub flow: Named<FlowSpec>,
        /// Values that vary: an axis is a path in quotes with a list of its values, or a name with a
        /// table of points, each a table of the paths that it sets; `without` lists combinations that
        /// are left out, each a table of axes with a value or a list of values.
        pub sweep: Sweep,
        /// How often each point is run.
        pub replications: Replications = {},
        /// What is recorded over time, if anything is.
        pub record: Option<Record>,
    }

    /// Records the queue and the drops of every port, the state of every sender, and what every flow
    /// has delivered, over time.
    pub struct Record {
        /// Time between samples.
        #[range("1 ns", "1 h")]
        pub every: Duration = "1 ms",
    }
}

impl ScenarioSpec {
    /// The shape of a scenario, which takes a while to put together.
    pub fn known_shape() -> &'static Shape {
        static SHAPE: LazyLock<Shape> = LazyLock::new(ScenarioSpec::shape);
        &SHAPE
    }

    /// Where the batches end, the last of them with the scenario.
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
            problem: format!("nothing is left of the duration of `{}`", self.duration),
            hint: "let the warm-up end before the scenario does".to_string(),
        })
    }
}
