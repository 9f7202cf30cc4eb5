//! Every runner gives the same log of events as `Stepwise`; `Windows` does in any order of the
//! nodes.

extern crate cellrelay_kernel as kernel;

use kernel::{
    Division, Duration, LinkOutlet, Movable, Network, Node, OnDemand, Runner, Stepwise, Threads,
    Time, Windows, Wire,
};
use proptest::prelude::*;

/// A node that records its events and derives its next events from them, so that the smallest
/// change of order anywhere spreads through the whole network.
#[derive(Clone, Debug)]
struct Gossip {
    state: u64,
    next: Time,
    fan_out: Vec<Duration>,
    log: Vec<(Time, Option<usize>, u64)>,
}

impl Gossip {
    fn note(&mut self, now: Time, input: Option<usize>, unit: u64) {
        self.log.push((now, input, unit));
        // Any mixing that depends on the order of events will do: the multiplier of Knuth's MMIX
        // generator.
        self.state = (self.state ^ unit)
            .wrapping_mul(6_364_136_223_846_793_005)
            .rotate_left(23)
            + 1;
    }

    fn tell(&mut self, now: Time, out: &mut LinkOutlet<'_, u64, ()>) {
        if !self.fan_out.is_empty() {
            let output = (self.state >> 32) as usize % self.fan_out.len();
            out.send(output, now + self.fan_out[output], self.state);
        }
    }
}

impl Node for Gossip {
    type Unit = u64;
    type Cargo = ();

    fn next_wake(&self) -> Time {
        self.next
    }

    fn wakes_before(&self, input: usize) -> bool {
        // Most own events come before all arrivals of the instant; some stand for an arrival at an
        // input.
        self.state.is_multiple_of(2) || (self.state / 2 % 3) < input as u64
    }

    fn wake(&mut self, now: Time, out: &mut LinkOutlet<'_, u64, ()>) {
        self.note(now, None, 0);
        self.next = now + Duration::from_ps(1 + self.state % 40);
        self.tell(now, out);
    }

    fn receive(&mut self, now: Time, input: usize, unit: u64, out: &mut LinkOutlet<'_, u64, ()>) {
        self.note(now, Some(input), unit);
        // An arrival may bring the next own event forward, to this very instant at the earliest.
        self.next = self.next.min(now + Duration::from_ps(self.state % 5));
        if unit.is_multiple_of(3) {
            self.tell(now, out);
        }
    }
}

impl Movable for Gossip {
    type Parcel = u64;

    fn pack(unit: u64, (): &mut ()) -> u64 {
        unit
    }

    fn unpack(parcel: u64, (): &mut ()) -> u64 {
        parcel
    }
}

#[derive(Clone, Debug)]
struct Plan {
    nodes: usize,
    wires: Vec<Wire>,
}

impl Plan {
    fn network(&self) -> Network<Gossip> {
        let mut nodes: Vec<Gossip> = (0..self.nodes)
            .map(|node| Gossip {
                state: node as u64 + 1,
                next: Time::from_ps(node as u64 % 7),
                fan_out: Vec::new(),
                log: Vec::new(),
            })
            .collect();
        for wire in &self.wires {
            nodes[wire.from].fan_out.push(wire.shortest);
        }
        Network::new(nodes, (), &self.wires)
    }
}

fn logs(network: &Network<Gossip>) -> Vec<&Vec<(Time, Option<usize>, u64)>> {
    network.nodes.iter().map(|node| &node.log).collect()
}

fn plans() -> impl Strategy<Value = Plan> {
    (2usize..6).prop_flat_map(|nodes| {
        let wire = (0..nodes, 1..nodes, 1u64..12, 0u64..30).prop_map(
            move |(from, step, shortest, propagation)| Wire {
                from,
                to: (from + step) % nodes,
                shortest: Duration::from_ps(shortest),
                propagation: Duration::from_ps(propagation),
            },
        );
        prop::collection::vec(wire, 1..12).prop_map(move |wires| Plan { nodes, wires })
    })
}

/// Any network with leaves joined to some of its nodes, as hosts are to switches.
fn plans_with_leaves() -> impl Strategy<Value = Plan> {
    let leaf = (any::<usize>(), 1u64..12, 0u64..30, 1u64..12, 0u64..30);
    (plans(), prop::collection::vec(leaf, 0..5)).prop_map(|(mut plan, leaves)| {
        let inner = plan.nodes;
        for (hub, there, far, back, away) in leaves {
            let (hub, leaf) = (hub % inner, plan.nodes);
            let wire = |from, to, shortest, propagation| Wire {
                from,
                to,
                shortest: Duration::from_ps(shortest),
                propagation: Duration::from_ps(propagation),
            };
            plan.wires.push(wire(hub, leaf, there, far));
            plan.wires.push(wire(leaf, hub, back, away));
            plan.nodes += 1;
        }
        plan
    })
}

const END: Time = Time::from_ps(2_000);

proptest! {
    #[test]
    fn every_runner_gives_the_log_of_the_stepwise_runner(
        plan in plans_with_leaves(),
        shuffle in any::<u64>(),
        pause in 1u64..2_000,
    ) {
        let mut expected = plan.network();
        Stepwise.run(&mut expected, END);

        let mut order: Vec<usize> = (0..plan.nodes).collect();
        order.sort_by_key(|node| (shuffle ^ (*node as u64 + 1)).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut windows = Windows { order: Some(order), ..Windows::default() };
        let mut network = plan.network();
        // A pause changes the windows, but must not change a log.
        windows.run(&mut network, Time::from_ps(pause));
        windows.run(&mut network, END);
        prop_assert!(logs(&network) == logs(&expected), "windows differ");

        let mut network = plan.network();
        let mut on_demand = OnDemand::default();
        while on_demand.run_some(&mut network, END, pause) < END {}
        prop_assert!(logs(&network) == logs(&expected), "on demand differs");

        // At a pause, units may be in flight to leaves, which are then behind their hubs.
        let mut network = plan.network();
        on_demand.run(&mut network, Time::from_ps(pause));
        on_demand.run(&mut network, END);
        prop_assert!(logs(&network) == logs(&expected), "on demand with a pause differs");
    }
}

proptest! {
    // Each window is a meeting, for which threads may wait for a processor.
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn threads_give_the_log_of_the_stepwise_runner(
        plan in plans_with_leaves(),
        shuffle in any::<u64>(),
        count in 1usize..5,
        pause in 1u64..2_000,
    ) {
        let mut expected = plan.network();
        Stepwise.run(&mut expected, END);

        // Some parts may have no node.
        let parts = (0..plan.nodes).map(|node| {
            (shuffle ^ (node as u64 + 1)).wrapping_mul(0x9e37_79b9_7f4a_7c15) as usize / 3 % count
        });
        let mut threads = Threads::new(Division::new(parts.collect()));
        let mut network = plan.network();
        while threads.run_some(&mut network, END, pause) < END {}
        prop_assert!(logs(&network) == logs(&expected), "threads differ");

        let mut network = plan.network();
        for end in [Time::from_ps(pause), END] {
            prop_assert_eq!(threads.run_some(&mut network, end, u64::MAX), end);
        }
        prop_assert!(logs(&network) == logs(&expected), "threads with a pause differ");
    }
}

/// Every node sends to every other, so sooner or later a unit arrives at the very instant at which
/// a window of the right length would have ended.
#[test]
#[should_panic(expected = "committed later than its transmission began")]
fn a_window_one_tick_too_long_is_noticed() {
    let pairs = (0..4).flat_map(|from| (1..4).map(move |step| (from, (from + step) % 4)));
    let wires = pairs.map(|(from, to)| Wire {
        from,
        to,
        shortest: Duration::from_ps(3),
        propagation: Duration::from_ps(4),
    });
    let plan = Plan {
        nodes: 4,
        wires: wires.collect(),
    };
    let mut windows = Windows {
        excess: Duration::from_ps(1),
        ..Windows::default()
    };
    windows.run(&mut plan.network(), END);
}

/// The message is that of the node, and no thread waits for the other in vain.
#[test]
#[should_panic(expected = "input 0 exists")]
fn a_panic_in_one_thread_ends_the_run() {
    struct Failing(Gossip);

    impl Node for Failing {
        type Unit = u64;
        type Cargo = ();

        fn next_wake(&self) -> Time {
            self.0.next_wake()
        }

        fn wake(&mut self, now: Time, out: &mut LinkOutlet<'_, u64, ()>) {
            self.0.wake(now, out);
        }

        fn receive(&mut self, _: Time, input: usize, _: u64, _: &mut LinkOutlet<'_, u64, ()>) {
            panic!("input {input} exists");
        }
    }

    impl Movable for Failing {
        type Parcel = u64;

        fn pack(unit: u64, (): &mut ()) -> u64 {
            unit
        }

        fn unpack(parcel: u64, (): &mut ()) -> u64 {
            parcel
        }
    }

    let plan = Plan {
        nodes: 2,
        wires: vec![Wire {
            from: 0,
            to: 1,
            shortest: Duration::from_ps(3),
            propagation: Duration::from_ps(4),
        }],
    };
    let nodes = plan.network().nodes.into_iter().map(Failing);
    let mut network = Network::new(nodes.collect(), (), &plan.wires);
    let mut threads = Threads::new(Division::new(vec![0, 1]));
    threads.run_some(&mut network, END, u64::MAX);
}

#[test]
fn a_runner_counts_its_visits() {
    let wire = |from, to| Wire {
        from,
        to,
        shortest: Duration::from_ps(3),
        propagation: Duration::from_ps(4),
    };
    let plan = Plan {
        nodes: 2,
        wires: vec![wire(0, 1), wire(1, 0)],
    };
    let [mut on_demand, mut again] = [(); 2].map(|()| OnDemand::default());
    on_demand.run(&mut plan.network(), END);
    let mut network = plan.network();
    while again.run_some(&mut network, END, 1) < END {}
    assert!(on_demand.visits > 10);
    assert_eq!(on_demand.visits, again.visits);
    let mut windows = Windows::default();
    windows.run(&mut plan.network(), END);
    assert!(windows.windows > 10 && windows.visits >= windows.windows);
}

/// `Stepwise` knows the time of each event, so it detects a unit that is too short even if that
/// unit overtakes no event.
#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "less time than the shortest")]
fn a_unit_that_is_too_short_is_noticed() {
    let wire = |from, to| Wire {
        from,
        to,
        shortest: Duration::from_ps(3),
        propagation: Duration::from_ps(4),
    };
    let plan = Plan {
        nodes: 2,
        wires: vec![wire(0, 1), wire(1, 0)],
    };
    let mut network = plan.network();
    network.nodes[1].fan_out = vec![Duration::from_ps(2)];
    Stepwise.run(&mut network, END);
}
