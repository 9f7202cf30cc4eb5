//! A scheduled fabric as its page describes it, instant by instant: an independent program, which
//! shares no code with the model. Times are in picoseconds.

use std::collections::{BTreeMap, BTreeSet};

/// The parameters, in octets and picoseconds.
#[derive(Clone, Debug)]
pub struct Setting {
    pub inputs: usize,
    pub outputs: usize,
    pub grant: i64,
    pub egress: i64,
    pub speedup: f64,
    pub control_delay: u64,
    pub links: usize,
    /// Rate of a link of the fabric, in bit/s.
    pub link_rate: u64,
    pub link_delay: u64,
    pub skew: u64,
    /// Octets of the payload of a cell of the fabric; none if the cells of the network cross.
    pub payload: Option<u64>,
    /// Octets that a cell of the fabric has beside its payload.
    pub header: u64,
    /// Transmission time of a cell on the link of an output.
    pub cell_time: u64,
}

impl Setting {
    /// Time from a grant of an egress to the next.
    fn spacing(&self) -> u64 {
        let at_rate = (self.grant as u64 * self.cell_time + CELL as u64 / 2) / CELL as u64;
        (at_rate as f64 / self.speedup).round() as u64
    }

    /// Transmission time of a cell of the fabric on a link, to the nearest picosecond.
    fn link_time(&self) -> u64 {
        let octets = self.payload.map_or(CELL as u64, |payload| payload + self.header);
        (octets * 8 * 1_000_000_000_000 + self.link_rate / 2) / self.link_rate
    }
}

/// A packet, and the arrival of its last cell at its input.
#[derive(Clone, Copy, Debug)]
pub struct Packet {
    pub input: usize,
    pub output: usize,
    pub cells: u64,
    pub arrival: u64,
}

/// Octets of a cell of the network.
const CELL: i64 = 53;

/// What happens at an instant, in the order in which it does. The numbers are those of packets,
/// inputs, outputs and links.
#[derive(Default)]
struct Instant {
    /// Cells that arrive at their egress: output, input, packet.
    arrived: BTreeSet<(usize, usize, usize, u64)>,
    /// Cells that arrive in the fabric: link, output, input, packet, and a number of their own.
    forwarded: BTreeSet<(usize, usize, usize, usize, u64)>,
    /// Packets whose requests arrive.
    requested: Vec<usize>,
    /// Outputs that may grant.
    scheduled: BTreeSet<usize>,
    /// Outputs and inputs of grants that arrive.
    granted: BTreeSet<(usize, usize)>,
    /// Packets whose last cell comes.
    came: Vec<usize>,
}

/// What the ingresses, the links and the egresses know.
struct Router<'a> {
    of: &'a Setting,
    packets: &'a [Packet],
    instants: BTreeMap<u64, Instant>,
    /// By output and input: packets that wait, packets that were sent, and credit.
    waiting: BTreeMap<(usize, usize), Vec<usize>>,
    sent: BTreeMap<(usize, usize), Vec<usize>>,
    credit: BTreeMap<(usize, usize), i64>,
    asked: BTreeMap<(usize, usize), i64>,
    turn: BTreeMap<(usize, usize), usize>,
    /// Cells of each packet that are still to arrive.
    missing: Vec<u64>,
    /// By input or output, and link: the time at which it is idle.
    first_links: BTreeMap<(usize, usize), u64>,
    second_links: BTreeMap<(usize, usize), u64>,
    /// By output: earliest next grant, whether it is planned, the last input that had one.
    next: Vec<u64>,
    is_planned: Vec<bool>,
    last: Vec<Option<usize>>,
    all_granted: Vec<i64>,
    /// By output: the times at which cells begin to leave.
    starts: Vec<Vec<u64>>,
    left: Vec<Option<u64>>,
    cells: u64,
}

/// The time at which the last cell of each packet has left its output by `until`; none if it has not.
pub fn departures(of: &Setting, packets: &[Packet], until: u64) -> Vec<Option<u64>> {
    let mut router = Router {
        of,
        packets,
        instants: BTreeMap::new(),
        waiting: BTreeMap::new(),
        sent: BTreeMap::new(),
        credit: BTreeMap::new(),
        asked: BTreeMap::new(),
        turn: BTreeMap::new(),
        missing: vec![0; packets.len()],
        first_links: BTreeMap::new(),
        second_links: BTreeMap::new(),
        next: vec![0; of.outputs],
        is_planned: vec![false; of.outputs],
        last: vec![None; of.outputs],
        all_granted: vec![0; of.outputs],
        starts: vec![Vec::new(); of.outputs],
        left: vec![None; packets.len()],
        cells: 0,
    };
    for (number, packet) in packets.iter().enumerate() {
        router.at(packet.arrival).came.push(number);
    }
    while let Some((now, instant)) = router.instants.pop_first() {
        if now > until {
            break;
        }
        router.pass(now, instant);
    }
    let left = router.left.into_iter();
    left.map(|left| left.filter(|left| *left <= until)).collect()
}

impl Router<'_> {
    fn at(&mut self, time: u64) -> &mut Instant {
        self.instants.entry(time).or_default()
    }

    fn pass(&mut self, now: u64, instant: Instant) {
        for (output, input, packet, _) in instant.arrived {
            self.missing[packet] -= 1;
            self.deliver(now, output, input);
        }
        for (link, output, input, packet, cell) in instant.forwarded {
            let arrival = pass_link(self.of, now, link, output, &mut self.second_links);
            let cell = (output, input, packet, cell);
            self.at(arrival).arrived.insert(cell);
        }
        for packet in instant.requested {
            let Packet { output, input, cells, .. } = self.packets[packet];
            *self.asked.entry((output, input)).or_default() += cells as i64 * CELL;
            let asks = self.asked[&(output, input)] > 0;
            if asks && !std::mem::replace(&mut self.is_planned[output], true) {
                let next = self.next[output].max(now);
                self.at(next).scheduled.insert(output);
            }
        }
        // An egress that becomes ready by a request of this instant grants in this instant too.
        let late = self.instants.remove(&now).unwrap_or_default().scheduled;
        for output in instant.scheduled.union(&late).copied().collect::<Vec<_>>() {
            self.schedule(now, output);
        }
        for (output, input) in instant.granted {
            *self.credit.entry((output, input)).or_default() += self.of.grant;
            self.send(now, output, input);
        }
        for packet in instant.came {
            let Packet { output, input, .. } = self.packets[packet];
            self.waiting.entry((output, input)).or_default().push(packet);
            self.at(now + self.of.control_delay).requested.push(packet);
            self.send(now, output, input);
        }
    }

    /// The next input after the last one that asks gets a grant, if it fits.
    fn schedule(&mut self, now: u64, output: usize) {
        let begun = self.starts[output].iter().filter(|start| **start <= now);
        let occupied = self.all_granted[output] - begun.count() as i64 * CELL;
        let order = |input: &usize| {
            let is_later = self.last[output].is_none_or(|last| *input > last);
            (!is_later, *input)
        };
        let asks = |input: &usize| self.asked.get(&(output, *input)).is_some_and(|asked| *asked > 0);
        let mut asking: Vec<usize> = (0..self.of.inputs).filter(asks).collect();
        asking.sort_by_key(order);
        if occupied + self.of.grant <= self.of.egress {
            let input = asking[0];
            *self.asked.entry((output, input)).or_default() -= self.of.grant;
            self.all_granted[output] += self.of.grant;
            self.last[output] = Some(input);
            self.at(now + self.of.control_delay).granted.insert((output, input));
        }
        self.next[output] = now + self.of.spacing();
        let asks = |input| self.asked.get(&(output, input)).is_some_and(|asked| *asked > 0);
        self.is_planned[output] = (0..self.of.inputs).any(asks);
        if self.is_planned[output] {
            self.at(now + self.of.spacing()).scheduled.insert(output);
        }
    }

    /// An ingress sends while it has credit.
    fn send(&mut self, now: u64, output: usize, input: usize) {
        let way = (output, input);
        while self.credit.get(&way).is_some_and(|credit| *credit > 0)
            && self.waiting.get(&way).is_some_and(|waiting| !waiting.is_empty())
        {
            let packet = self.waiting.entry(way).or_default().remove(0);
            let cells = self.packets[packet].cells;
            *self.credit.entry(way).or_default() -= cells as i64 * CELL;
            let octets = cells * CELL as u64;
            let parts = self.of.payload.map_or(cells, |payload| octets.div_ceil(payload));
            self.missing[packet] = parts;
            self.sent.entry(way).or_default().push(packet);
            for _ in 0..parts {
                let turn = self.turn.entry(way).or_default();
                let link = *turn % self.of.links;
                *turn += 1;
                let arrival = pass_link(self.of, now, link, input, &mut self.first_links);
                self.cells += 1;
                let cell = (link, output, input, packet, self.cells);
                self.at(arrival).forwarded.insert(cell);
            }
        }
    }

    /// The packets at the head of those that were sent leave, as far as they are complete.
    fn deliver(&mut self, now: u64, output: usize, input: usize) {
        let sent = self.sent.entry((output, input)).or_default();
        let complete = sent.iter().take_while(|packet| self.missing[**packet] == 0);
        let complete = complete.count();
        for packet in sent.drain(..complete) {
            for _ in 0..self.packets[packet].cells {
                let starts = &mut self.starts[output];
                let idle = starts.last().map_or(0, |start| start + self.of.cell_time);
                starts.push(idle.max(now));
                self.left[packet] = Some(idle.max(now) + self.of.cell_time);
            }
        }
    }
}

/// The arrival at the end of a link of a cell that joins its queue at `now`; `end` is its input or
/// output.
fn pass_link(
    of: &Setting,
    now: u64,
    link: usize,
    end: usize,
    idle: &mut BTreeMap<(usize, usize), u64>,
) -> u64 {
    let sent = idle.entry((end, link)).or_default();
    *sent = now.max(*sent) + of.link_time();
    *sent + of.link_delay + of.skew * link as u64
}
