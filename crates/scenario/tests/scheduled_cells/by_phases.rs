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
    /// The link, the start and the end of each outage, in order.
    pub outages: Vec<(usize, u64, u64)>,
    pub detection: u64,
    pub reassembly_timeout: u64,
}

impl Setting {
    /// Time from a grant of an egress to the next.
    fn spacing(&self) -> u64 {
        let at_rate = (self.grant as u64 * self.cell_time + CELL as u64 / 2) / CELL as u64;
        (at_rate as f64 / self.speedup).round() as u64
    }

    /// Transmission time of a cell of the fabric on a link, to the nearest picosecond.
    fn link_time(&self) -> u64 {
        let octets = self
            .payload
            .map_or(CELL as u64, |payload| payload + self.header);
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

/// The end of a packet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum End {
    /// It is in the router at the end of the run.
    Inside,
    /// Its last cell has left.
    Left(u64),
    /// Its egress has given it up.
    Dropped(u64),
}

/// Octets of a cell of the network.
const CELL: i64 = 53;

/// The events of an instant, in their order. The numbers are those of packets, inputs, outputs and
/// links.
#[derive(Default)]
struct Instant {
    /// Cells that arrive at their egress: output, input, packet.
    arrived: BTreeSet<(usize, usize, usize, u64)>,
    /// Packets that egresses give up: output, input, packet.
    over: BTreeSet<(usize, usize, usize)>,
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

/// The state of the ingresses, the links and the egresses.
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
    /// Cells of each packet that have not arrived.
    missing: Vec<u64>,
    /// The time at which each packet was sent.
    sent_at: Vec<u64>,
    has_lost: Vec<bool>,
    is_over: Vec<bool>,
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
    /// By output: octets of packets that were given up.
    given_up: Vec<i64>,
    ends: Vec<End>,
    cells: u64,
}

/// The end of each packet before `until`.
pub fn ends(of: &Setting, packets: &[Packet], until: u64) -> Vec<End> {
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
        sent_at: vec![0; packets.len()],
        has_lost: vec![false; packets.len()],
        is_over: vec![false; packets.len()],
        first_links: BTreeMap::new(),
        second_links: BTreeMap::new(),
        next: vec![0; of.outputs],
        is_planned: vec![false; of.outputs],
        last: vec![None; of.outputs],
        all_granted: vec![0; of.outputs],
        starts: vec![Vec::new(); of.outputs],
        given_up: vec![0; of.outputs],
        ends: vec![End::Inside; packets.len()],
        cells: 0,
    };
    for (number, packet) in packets.iter().enumerate() {
        router.at(packet.arrival).came.push(number);
    }
    while let Some((now, instant)) = router.instants.pop_first() {
        if now >= until {
            break;
        }
        router.pass(now, instant);
    }
    let ends = router.ends.into_iter();
    ends.map(|end| match end {
        End::Left(at) if at >= until => End::Inside,
        end => end,
    })
    .collect()
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
        for (output, input, packet) in instant.over {
            self.is_over[packet] = true;
            self.deliver(now, output, input);
        }
        for (link, output, input, packet, cell) in instant.forwarded {
            match pass_link(self.of, now, link, output, &mut self.second_links) {
                Some(arrival) => {
                    self.at(arrival)
                        .arrived
                        .insert((output, input, packet, cell));
                }
                None => self.lose(now, packet),
            }
        }
        for packet in instant.requested {
            let Packet {
                output,
                input,
                cells,
                ..
            } = self.packets[packet];
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
            self.waiting
                .entry((output, input))
                .or_default()
                .push(packet);
            self.at(now + self.of.control_delay).requested.push(packet);
            self.send(now, output, input);
        }
    }

    /// The next input after the last one that asks gets a grant, if it fits.
    fn schedule(&mut self, now: u64, output: usize) {
        let begun = self.starts[output].iter().filter(|start| **start <= now);
        let occupied =
            self.all_granted[output] - begun.count() as i64 * CELL - self.given_up[output];
        let order = |input: &usize| {
            let is_later = self.last[output].is_none_or(|last| *input > last);
            (!is_later, *input)
        };
        let asks = |input: &usize| {
            self.asked
                .get(&(output, *input))
                .is_some_and(|asked| *asked > 0)
        };
        let mut asking: Vec<usize> = (0..self.of.inputs).filter(asks).collect();
        asking.sort_by_key(order);
        if occupied + self.of.grant <= self.of.egress {
            let input = asking[0];
            *self.asked.entry((output, input)).or_default() -= self.of.grant;
            self.all_granted[output] += self.of.grant;
            self.last[output] = Some(input);
            self.at(now + self.of.control_delay)
                .granted
                .insert((output, input));
        }
        self.next[output] = now + self.of.spacing();
        let asks = |input| {
            self.asked
                .get(&(output, input))
                .is_some_and(|asked| *asked > 0)
        };
        self.is_planned[output] = (0..self.of.inputs).any(asks);
        if self.is_planned[output] {
            self.at(now + self.of.spacing()).scheduled.insert(output);
        }
    }

    /// An ingress sends while it has credit.
    fn send(&mut self, now: u64, output: usize, input: usize) {
        let way = (output, input);
        while self.credit.get(&way).is_some_and(|credit| *credit > 0)
            && self
                .waiting
                .get(&way)
                .is_some_and(|waiting| !waiting.is_empty())
        {
            let packet = self.waiting.entry(way).or_default().remove(0);
            let cells = self.packets[packet].cells;
            *self.credit.entry(way).or_default() -= cells as i64 * CELL;
            let octets = cells * CELL as u64;
            let parts = self
                .of
                .payload
                .map_or(cells, |payload| octets.div_ceil(payload));
            self.missing[packet] = parts;
            self.sent_at[packet] = now;
            self.sent.entry(way).or_default().push(packet);
            for _ in 0..parts {
                let link = self.next_link(now, way);
                self.cells += 1;
                let cell = (link, output, input, packet, self.cells);
                match pass_link(self.of, now, link, input, &mut self.first_links) {
                    Some(arrival) => {
                        self.at(arrival).forwarded.insert(cell);
                    }
                    None => self.lose(now, packet),
                }
            }
        }
    }

    /// The next link in turn that the ingress does not know to be down, if it knows of any that is up.
    fn next_link(&mut self, now: u64, way: (usize, usize)) -> usize {
        let is_down = |link: usize| {
            let mut outages = self.of.outages.iter();
            let detected = |time: &u64| time + self.of.detection <= now;
            outages.any(|(of, from, to)| *of == link && detected(from) && !detected(to))
        };
        let links = self.of.links;
        let turn = self.turn.entry(way).or_default();
        if !(0..links).all(is_down) {
            while is_down(*turn % links) {
                *turn += 1;
            }
        }
        *turn += 1;
        (*turn - 1) % links
    }

    fn lose(&mut self, now: u64, packet: usize) {
        if !std::mem::replace(&mut self.has_lost[packet], true) {
            let Packet { output, input, .. } = self.packets[packet];
            let over = self.sent_at[packet] + self.of.reassembly_timeout;
            if over > now {
                self.at(over).over.insert((output, input, packet));
            } else {
                self.is_over[packet] = true;
                self.deliver(now, output, input);
            }
        }
    }

    /// The packets at the head of those that were sent leave, as far as they are complete or over.
    fn deliver(&mut self, now: u64, output: usize, input: usize) {
        let sent = self.sent.entry((output, input)).or_default();
        let is_due = |packet: &&usize| self.missing[**packet] == 0 || self.is_over[**packet];
        let due = sent.iter().take_while(is_due).count();
        for packet in sent.drain(..due) {
            let cells = self.packets[packet].cells;
            if self.has_lost[packet] {
                self.given_up[output] += cells as i64 * CELL;
                self.ends[packet] = End::Dropped(now);
                continue;
            }
            for _ in 0..cells {
                let starts = &mut self.starts[output];
                let idle = starts.last().map_or(0, |start| start + self.of.cell_time);
                starts.push(idle.max(now));
                self.ends[packet] = End::Left(idle.max(now) + self.of.cell_time);
            }
        }
    }
}

/// The arrival at the end of a link of a cell that joins its queue at `now`; `end` is its input or
/// output. None if the link is down at any time from the start of the transmission to the arrival.
fn pass_link(
    of: &Setting,
    now: u64,
    link: usize,
    end: usize,
    idle: &mut BTreeMap<(usize, usize), u64>,
) -> Option<u64> {
    let sent = idle.entry((end, link)).or_default();
    let start = now.max(*sent);
    *sent = start + of.link_time();
    let arrival = *sent + of.link_delay + of.skew * link as u64;
    let meets =
        |(down, from, to): &(usize, u64, u64)| *down == link && *from < arrival && *to > start;
    (!of.outages.iter().any(meets)).then_some(arrival)
}
