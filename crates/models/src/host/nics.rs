//! The network interfaces of a host, one for each link, and the choice among them.
//!
//! A host sends as a router forwards: the route of an end of a flow is a link and a VC on it, or a
//! group of next links, of which the rule of the host chooses one for each packet. Packets are
//! received on any link. RFC 1122, section 3.3.4.2, calls this the weak model of a multihomed host.
//! Our own rule: if no path is left, packets take the link that they take without outages, as those
//! of a host with a single link do.

use std::slice;

use kernel::{Duration, Time};

use super::nic::Nic;
use crate::paced::Paced;
use crate::paths::Forks;
use crate::wire::contents::Contents;
use crate::wire::unit::Outlet;
use crate::wire::vc::{Route, Vc};

/// A route from a host in half the space, since each end of a flow has one: the VCs of all links are
/// numbered link by link, and the groups of next links behind them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Via(u32);

/// The network interfaces of a host, one for each link.
// Not boxed: most hosts have one link.
#[allow(clippy::large_enum_variant)]
pub enum Nics {
    /// The interface of a host with one link.
    One(Nic),
    /// The interfaces of a host with several links.
    Several(Box<Several>),
}

/// The interfaces of a host with several links.
pub struct Several {
    /// In the order of the links.
    nics: Box<[Nic]>,
    /// The next links of the ends that have several; none if no end has.
    forks: Option<Forks>,
    /// The packets that were sent, by group of next links.
    sent: Box<[Sent]>,
}

/// The packets that an end has sent over several links.
#[derive(Clone, Copy, Default)]
struct Sent {
    /// Their number: on each link packets have gaps, so links cannot number them.
    packets: u32,
    /// Time by which all of them have left.
    left: Time,
}

impl Nics {
    /// The interfaces to at least one link, in order; `forks` has the groups of next links, if there
    /// are any.
    pub fn new(mut nics: Vec<Nic>, forks: Option<Forks>) -> Nics {
        if nics.len() == 1 {
            return Nics::One(nics.remove(0));
        }
        let groups = forks.as_ref().map_or(0, Forks::groups);
        Nics::Several(Box::new(Several {
            nics: nics.into(),
            forks,
            sent: vec![Sent::default(); groups].into(),
        }))
    }

    /// All interfaces.
    pub fn all(&self) -> &[Nic] {
        match self {
            Nics::One(nic) => slice::from_ref(nic),
            Nics::Several(several) => &several.nics,
        }
    }

    /// All interfaces, mutable.
    pub fn all_mut(&mut self) -> &mut [Nic] {
        match self {
            Nics::One(nic) => slice::from_mut(nic),
            Nics::Several(several) => &mut several.nics,
        }
    }

    /// The interface to a link.
    #[inline]
    pub fn link(&self, link: usize) -> &Nic {
        match self {
            Nics::One(nic) => nic,
            Nics::Several(several) => &several.nics[link],
        }
    }

    /// The interface to a link, mutable.
    #[inline]
    pub fn link_mut(&mut self, link: usize) -> &mut Nic {
        match self {
            Nics::One(nic) => nic,
            Nics::Several(several) => &mut several.nics[link],
        }
    }

    /// The number of a VC among those of all links, link by link.
    #[inline]
    pub fn place(&self, link: usize, vc: Vc) -> usize {
        match self {
            Nics::One(_) => vc.index(),
            Nics::Several(several) => several.place(link, vc),
        }
    }

    /// A route from this host.
    pub fn via(&self, route: Route) -> Via {
        let links = self.all().len();
        let place = self.place(links.min(route.output as usize), route.vc);
        Via(u32::try_from(place).expect("VCs have numbers"))
    }

    /// The paced VCs on the link of an end of a flow, and its VC there; packets with several next links
    /// are not paced.
    #[inline]
    pub fn paced(&self, via: Via) -> Option<(&Paced, Vc)> {
        match self {
            Nics::One(nic) => Some((nic.paced.as_deref()?, via.only())),
            Nics::Several(several) => {
                let Route { output, vc } = several.route(via);
                let nic = several.nics.get(output as usize)?;
                Some((nic.paced.as_deref()?, vc))
            }
        }
    }

    /// The same, mutable.
    #[inline]
    pub fn paced_mut(&mut self, via: Via) -> Option<(&mut Paced, Vc)> {
        match self {
            Nics::One(nic) => Some((nic.paced.as_deref_mut()?, via.only())),
            Nics::Several(several) => {
                let Route { output, vc } = several.route(via);
                let nic = several.nics.get_mut(output as usize)?;
                Some((nic.paced.as_deref_mut()?, vc))
            }
        }
    }

    /// Sends a packet of an end of a flow, in cells or whole. Returns the time by which its packets have
    /// left, unless they are paced.
    #[inline]
    pub fn send(&mut self, now: Time, via: Via, contents: Contents, out: &mut Outlet<'_>) -> Time {
        match self {
            Nics::One(nic) => {
                nic.send(now, via.only(), contents, out);
                nic.left()
            }
            Nics::Several(several) => several.send(now, via, contents, out),
        }
    }

    /// The interface of an end of a flow, and its VC there; none if the end has several next links.
    #[inline]
    fn of(&self, via: Via) -> Option<(&Nic, Vc)> {
        match self {
            Nics::One(nic) => Some((nic, via.only())),
            Nics::Several(several) => {
                let Route { output, vc } = several.route(via);
                Some((several.nics.get(output as usize)?, vc))
            }
        }
    }

    /// True if the packets of an end of a flow are paced, or wait until they start.
    #[inline]
    pub fn holds(&self, via: Via) -> bool {
        self.of(via).is_some_and(|(nic, vc)| nic.holds(vc))
    }

    /// Time until `now` in which packets of an end of a flow waited or were being sent; none if they
    /// leave back to back, or have several next links.
    #[inline]
    pub fn waited(&mut self, now: Time, via: Via) -> Option<Duration> {
        match self {
            Nics::One(nic) => nic.waited(now, via.only()),
            Nics::Several(several) => {
                let Route { output, vc } = several.route(via);
                several.nics.get_mut(output as usize)?.waited(now, vc)
            }
        }
    }

    /// True if nothing but packets before them changes when packets of an end of a flow leave, so that
    /// the sole sender of a host may commit them ahead of time.
    pub fn keeps_times(&self, via: Via) -> bool {
        let nic = match self {
            Nics::One(nic) => Some(nic),
            Nics::Several(several) => several.nics.get(several.route(via).output as usize),
        };
        nic.is_some_and(|nic| !nic.is_lossy() && nic.clock.is_none()) && !self.holds(via)
    }

    /// True if any interface acts by itself: it has paced VCs, or a link with a gate or
    /// retry.
    pub fn act(&self) -> bool {
        self.all().iter().any(Nic::acts)
    }

    /// Time of the next cell of a paced VC, or of the next event of a link with a gate or
    /// retry; [`Time::NEVER`] if none is to come.
    #[inline]
    pub fn next_wake(&self) -> Time {
        match self {
            Nics::One(nic) => nic.next_wake(),
            Nics::Several(several) => several.next_wake(),
        }
    }

    /// Does what is due at [`Nics::next_wake`]; of several links, on the first.
    #[inline]
    pub fn send_paced(&mut self, out: &mut Outlet<'_>) {
        match self {
            Nics::One(nic) => nic.send_paced(out),
            Nics::Several(several) => several.send_paced(out),
        }
    }

    /// Octets sent over a link on a VC since counting began, if their end has several next links.
    pub fn forwarded(&self, output: usize, vc: Vc) -> u64 {
        let forks = match self {
            Nics::One(_) => None,
            Nics::Several(several) => several.forks.as_ref(),
        };
        forks.map_or(0, |forks| forks.forwarded(output, vc))
    }

    /// Restarts the counts at `now`.
    pub fn begin_counting(&mut self, now: Time) {
        for nic in self.all_mut() {
            if let Some(paced) = &mut nic.paced {
                paced.begin_counting(now);
            }
            if let Some(waiting) = &mut nic.waiting {
                waiting.begin_counting(now);
            }
        }
        if let Nics::Several(several) = self
            && let Some(forks) = &mut several.forks
        {
            forks.begin_counting();
        }
    }
}

impl Via {
    /// The VC of an end at a host with one link.
    #[inline]
    fn only(self) -> Vc {
        Vc(self.0)
    }
}

impl Several {
    /// The number of a VC among those of all links; behind the last link, of a group of next links.
    fn place(&self, link: usize, vc: Vc) -> usize {
        let before = self.nics[..link].iter().map(Nic::vcs);
        before.sum::<usize>() + vc.index()
    }

    /// The route that a [`Via`] stands for.
    fn route(&self, Via(place): Via) -> Route {
        let mut vc = place;
        for (output, nic) in (0..).zip(&self.nics) {
            let vcs = nic.vcs() as u32;
            if vc < vcs {
                return Route { output, vc: Vc(vc) };
            }
            vc -= vcs;
        }
        Route::fork(vc)
    }

    #[inline(never)]
    fn send(&mut self, now: Time, via: Via, contents: Contents, out: &mut Outlet<'_>) -> Time {
        let Route { output, vc } = self.route(via);
        let Some(nic) = self.nics.get_mut(output as usize) else {
            return self.send_over_one(now, vc, contents, out);
        };
        nic.send(now, vc, contents, out);
        nic.left()
    }

    /// Sends a packet over one of several next links.
    fn send_over_one(
        &mut self,
        now: Time,
        group: Vc,
        contents: Contents,
        out: &mut Outlet<'_>,
    ) -> Time {
        let forks = self.forks.as_mut();
        let forks = forks.expect("a group of next links has forks");
        let route = forks.route(now, group, &contents);
        let Route { output, vc } = route.unwrap_or_else(|none| none.usual);
        let nic = &mut self.nics[output as usize];
        let sent = &mut self.sent[group.index()];
        sent.packets = sent.packets.wrapping_add(1);
        nic.number_next(vc, sent.packets);
        nic.send(now, vc, contents, out);
        sent.left = sent.left.max(nic.left());
        sent.left
    }

    #[inline(never)]
    fn next_wake(&self) -> Time {
        let times = self.nics.iter().map(Nic::next_wake);
        times.min().unwrap_or(Time::NEVER)
    }

    fn send_paced(&mut self, out: &mut Outlet<'_>) {
        let next = self.next_wake();
        let due = self.nics.iter_mut().find(|nic| nic.next_wake() == next);
        due.expect("an interface acts").send_paced(out);
    }
}
