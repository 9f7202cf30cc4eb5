//! A naive switch, which keeps the waiting cells of an output in one list and searches the list.

use models::wire::class::Class;

use super::case::{CELL, CLASSES, Case, Departures, Memory, Order, Promise, VCS};

/// The departures from the naive switch, which handles arrivals in order, each after all earlier
/// departures.
pub fn expected(case: &Case) -> Departures {
    let mut arrivals = Vec::new();
    for (number, source) in case.sources.iter().enumerate() {
        for (first, cells) in source.arrivals() {
            // Of simultaneous cells, those that continue a train arrive first.
            let cells = (0..u64::from(cells)).map(|cell| (first + cell * CELL, cell == 0, number));
            arrivals.extend(cells);
        }
    }
    arrivals.sort_unstable();
    let mut outputs: Vec<Naive> = case
        .outputs
        .iter()
        .map(|time| Naive::new(*time, case))
        .collect();
    for (now, _, number) in arrivals {
        let source = &case.sources[number];
        for output in &mut outputs {
            output.serve(now);
        }
        let waiting = |output: &Naive| output.waiting.len() as u64;
        let class = case.classes[source.vc as usize];
        let output = &outputs[source.output];
        let (occupied, capacity) = match case.memory {
            Memory::PerOutput(capacity) => (waiting(output), capacity),
            Memory::Shared(capacity) => (outputs.iter().map(waiting).sum(), capacity),
            Memory::PerClass(capacities) => {
                (output.waiting_in(class) as u64, capacities[class.index()])
            }
        };
        if occupied < capacity {
            outputs[source.output].take(now, source.vc);
        }
    }
    for output in &mut outputs {
        output.serve(u64::MAX);
    }
    outputs.into_iter().map(|output| output.left).collect()
}

/// An output that keeps its cells in order of arrival, and searches for the next cell to send.
struct Naive<'a> {
    case: &'a Case,
    cell_time: u64,
    free_at: u64,
    /// VC of each cell.
    waiting: Vec<u32>,
    /// The VC served last.
    last: u32,
    last_in: [u32; CLASSES],
    ledger: Ledger,
    turns: Turns,
    tags: Tags,
    left: Vec<(u64, u32)>,
}

impl Naive<'_> {
    fn new(cell_time: u64, case: &Case) -> Naive<'_> {
        Naive {
            case,
            cell_time,
            free_at: 0,
            waiting: Vec::new(),
            last: VCS - 1,
            last_in: [VCS - 1; CLASSES],
            ledger: Ledger::new(&case.order),
            turns: Turns::default(),
            tags: Tags::default(),
            left: Vec::new(),
        }
    }

    fn class(&self, vc: u32) -> Class {
        self.case.classes[vc as usize]
    }

    fn waiting_in(&self, class: Class) -> usize {
        let of_class = |vc: &&u32| self.class(**vc) == class;
        self.waiting.iter().filter(of_class).count()
    }

    /// Sends the cells that start until `now`.
    fn serve(&mut self, now: u64) {
        while !self.waiting.is_empty() && self.free_at <= now {
            self.start(self.free_at);
        }
    }

    /// Takes a cell, which starts at once if the link is free.
    fn take(&mut self, now: u64, vc: u32) {
        let class = self.class(vc);
        if self.waiting_in(class) == 0 {
            self.ledger.returns(class);
        }
        if self.waiting.is_empty() && self.free_at <= now {
            self.turns.current = None;
        }
        self.turns.came(vc);
        self.tags.came(vc);
        self.waiting.push(vc);
        if self.free_at <= now {
            self.start(now);
        }
    }

    fn start(&mut self, start: u64) {
        let place = match &self.case.order {
            Order::Fifo => 0,
            Order::RoundRobin => self.in_turn(self.last, |_| true),
            Order::DeficitRoundRobin(quantum) => {
                let next = self.turns.next(*quantum, |vc| self.waiting.contains(&vc));
                self.first_of(next)
            }
            Order::SelfClocked => self.tags.least(),
            Order::Strict { in_turn } => {
                let first = Class::ALL.iter().find(|class| self.waiting_in(**class) > 0);
                self.of_class(*first.expect("a cell waits"), *in_turn)
            }
            Order::Multiclass { in_turn, .. } => {
                let waits = Class::ALL.map(|class| self.waiting_in(class) > 0);
                self.of_class(self.ledger.choose(waits), *in_turn)
            }
        };
        let vc = self.waiting.remove(place);
        self.tags.goes(place);
        let class = self.class(vc);
        self.last = vc;
        self.last_in[class.index()] = vc;
        let waits = Class::ALL.map(|class| self.waiting_in(class) > 0);
        self.ledger.pay(class, waits);
        self.free_at = start + self.cell_time;
        self.left.push((self.free_at, vc));
    }

    /// Position of the first cell of a VC.
    fn first_of(&self, vc: u32) -> usize {
        let place = self.waiting.iter().position(|other| *other == vc);
        place.expect("a cell of the VC waits")
    }

    /// Position of the next cell of a class; with `in_turn`, the VCs of the class take turns.
    fn of_class(&self, class: Class, in_turn: bool) -> usize {
        if in_turn {
            return self.in_turn(self.last_in[class.index()], |other| other == class);
        }
        let mut classes = self.waiting.iter().map(|vc| self.class(*vc));
        let place = classes.position(|other| other == class);
        place.expect("a cell of the class waits")
    }

    /// Position of the first cell of the next VC in cyclic order after `last`, among the
    /// VCs whose class `counts`.
    fn in_turn(&self, last: u32, counts: impl Fn(Class) -> bool) -> usize {
        let after = |vc: u32| (vc + VCS - last - 1) % VCS;
        let places = self.waiting.iter().enumerate();
        let places = places.filter(|(_, vc)| counts(self.class(**vc)));
        let next = places.min_by_key(|(place, vc)| (after(**vc), *place));
        next.expect("a cell waits").0
    }
}

/// Deficit round robin: the backlogged VCs, in the order of their turns.
#[derive(Default)]
struct Turns {
    queue: Vec<u32>,
    /// The VC that has its turn.
    current: Option<u32>,
    /// Cells that the VC `current` has sent in its turn.
    sent: u64,
}

impl Turns {
    fn came(&mut self, vc: u32) {
        if self.current != Some(vc) && !self.queue.contains(&vc) {
            self.queue.push(vc);
        }
    }

    /// The VC of the next cell. A turn ends after a quantum, or when no further cell of the VC
    /// waits.
    fn next(&mut self, quantum: u64, waits: impl Fn(u32) -> bool) -> u32 {
        if let Some(vc) = self.current.filter(|vc| waits(*vc)) {
            if self.sent < quantum {
                self.sent += 1;
                return vc;
            }
            self.queue.push(vc);
        }
        let next = self.queue.remove(0);
        (self.current, self.sent) = (Some(next), 1);
        next
    }
}

/// Self-clocked fair queueing: finish tags of the waiting cells, in order of arrival.
#[derive(Default)]
struct Tags {
    waiting: Vec<(u64, u32)>,
    last: [u64; VCS as usize],
    clock: u64,
}

impl Tags {
    fn came(&mut self, vc: u32) {
        let last = &mut self.last[vc as usize];
        *last = (*last).max(self.clock) + 1;
        self.waiting.push((*last, vc));
    }

    /// Position of the cell with the least tag.
    fn least(&self) -> usize {
        let places = self.waiting.iter().enumerate();
        let least = places.min_by_key(|(_, tag)| **tag);
        least.expect("a cell waits").0
    }

    fn goes(&mut self, place: usize) {
        self.clock = self.waiting.remove(place).0;
    }
}

/// The multiclass scheduler: credits of classes in sixteenths of a cell, and start tags in quarters
/// of the advance for one cell.
struct Ledger {
    promises: Option<[Promise; CLASSES]>,
    credit: [u64; CLASSES],
    tags: [u64; CLASSES],
    virtual_time: u64,
}

impl Ledger {
    fn new(order: &Order) -> Ledger {
        let promises = match order {
            Order::Multiclass { promises, .. } => Some(*promises),
            _ => None,
        };
        let saved = |promise: &Promise| u64::from(promise.share > 0) * promise.burst * 16;
        Ledger {
            promises,
            credit: promises.map_or([0; CLASSES], |promises| promises.each_ref().map(saved)),
            tags: [0; CLASSES],
            virtual_time: 0,
        }
    }

    fn returns(&mut self, class: Class) {
        let tag = &mut self.tags[class.index()];
        *tag = (*tag).max(self.virtual_time);
    }

    fn choose(&self, waits: [bool; CLASSES]) -> Class {
        let promises = self.promises.expect("promises");
        let waiting: Vec<Class> = Class::ALL
            .into_iter()
            .filter(|class| waits[class.index()])
            .collect();
        for class in &waiting {
            if self.credit[class.index()] >= 16 {
                return *class;
            }
        }
        for class in &waiting {
            if !promises[class.index()].greedy {
                return *class;
            }
        }
        let fairest = waiting.iter().min_by_key(|class| self.tags[class.index()]);
        *fairest.expect("a class waits")
    }

    fn pay(&mut self, class: Class, waits: [bool; CLASSES]) {
        let Some(promises) = self.promises else {
            return;
        };
        let index = class.index();
        if self.credit[index] >= 16 {
            self.credit[index] -= 16;
        } else if promises[index].greedy {
            self.virtual_time = self.tags[index];
            self.tags[index] += 4 / u64::from(promises[index].weight);
        }
        for (index, promise) in promises.iter().enumerate() {
            self.credit[index] += promise.share;
            if !waits[index] {
                self.credit[index] = self.credit[index].min(promise.burst * 16);
            }
        }
    }
}
