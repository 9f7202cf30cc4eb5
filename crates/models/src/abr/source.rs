//! The source of an ABR connection: its next cell, and the time of that cell.
//!
//! TM 4.0, section 5.10.4. Where a rule leaves a choice, a comment names our choice. Rule 13, by
//! which a source may give up rate that it does not use, is optional and not implemented: rates
//! fall by rules 5, 6, 8 and 9 only.
//!
//! Our own technique: cells are committed ahead ([`AbrSource::data_from`], [`AbrSource::run`],
//! [`AbrSource::recall`]), which saves events and changes no departure (decision 14 in
//! `docs/decisions`).

use kernel::{Duration, Time};

use super::Contract;
use super::rm_cell::RmCell;

/// The next cell of a source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AbrCell {
    /// A data cell, sent with EFCI = 0: rule 12.
    Data,
    /// An RM cell.
    Rm(RmCell),
}

/// A bound of the allowed cell rate, in cells per second.
#[derive(Debug)]
pub struct RateCap<'a> {
    /// The bound.
    pub cells_per_second: &'a mut f64,
    /// The least bound: MCR, or the rate below which the source sends nothing in rate.
    pub least: f64,
    /// The largest bound: PCR.
    pub most: f64,
}

/// The source end of one direction of a connection.
#[derive(Clone, Debug)]
pub struct AbrSource {
    contract: Contract,
    /// Bound of the allowed cell rate, in cells per second; PCR, unless a run is steered.
    cap: f64,
    /// Allowed cell rate, in cells per second.
    acr: f64,
    /// Interval between in-rate cells: the inverse of the allowed rate.
    interval: Duration,
    /// Start of the last in-rate cell; none before the first.
    last: Option<Time>,
    /// In-rate cells since the last in-rate forward RM cell.
    cells: u32,
    /// Start of the last in-rate forward RM cell.
    forward_at: Time,
    /// In-rate forward RM cells since a backward RM cell arrived.
    unanswered: u32,
    /// A turned-around RM cell that waits to leave.
    backward: Option<RmCell>,
    /// True if a backward RM cell has left since the last in-rate forward RM cell.
    backward_sent: bool,
    /// Earliest start of the next out-of-rate RM cell.
    out_of_rate_at: Time,
    /// True if a backward RM cell has already left out of rate at `out_of_rate_at`.
    out_of_rate_backward: bool,
}

impl AbrSource {
    /// A source before its first cell.
    pub fn new(contract: Contract) -> AbrSource {
        let mut source = AbrSource {
            cap: contract.pcr,
            acr: 0.0,
            interval: Duration::MAX,
            last: None,
            cells: 0,
            forward_at: Time::ZERO,
            unanswered: 0,
            backward: None,
            backward_sent: false,
            out_of_rate_at: Time::ZERO,
            out_of_rate_backward: false,
            contract,
        };
        // Rule 2: before the first cell the rate is the initial rate.
        source.allow(source.contract.icr);
        source
    }

    /// Allowed cell rate, in cells per second.
    pub fn acr(&self) -> f64 {
        self.acr
    }

    /// The bound of the allowed cell rate, which holds from the next change of that rate on.
    pub fn cap(&mut self) -> RateCap<'_> {
        RateCap {
            cells_per_second: &mut self.cap,
            least: self.contract.mcr.max(self.contract.tcr),
            most: self.contract.pcr,
        }
    }

    /// The earliest start of the next cell; `data` is true if a data cell waits. [`Time::NEVER`] if
    /// no cell waits.
    #[inline]
    pub fn next_departure(&self, data: bool) -> Time {
        let something = data || self.backward.is_some();
        if self.is_below_tcr() {
            return if something {
                self.out_of_rate_at
            } else {
                Time::NEVER
            };
        }
        let Some(last) = self.last else {
            // The first in-rate cell is an RM cell; it leaves only if data or an RM cell waits.
            return if something { Time::ZERO } else { Time::NEVER };
        };
        // Rule 1: in-rate cells are at least 1/ACR apart. The interval is that of the present ACR,
        // so a waiting cell leaves earlier when the rate rises.
        let next = last + self.interval;
        if something || self.cells + 1 >= self.contract.nrm {
            next
        } else if self.cells >= self.contract.mrm {
            next.max(self.forward_at + self.contract.trm)
        } else {
            Time::NEVER
        }
    }

    /// The cell that starts at `now`, which is [`AbrSource::next_departure`] or later.
    #[inline]
    pub fn depart(&mut self, now: Time, data: bool) -> AbrCell {
        if self.is_below_tcr() {
            return AbrCell::Rm(self.depart_out_of_rate(now));
        }
        let is_first = self.last.replace(now).is_none();
        if is_first || self.forward_is_due(now) {
            return AbrCell::Rm(self.depart_forward(now, is_first));
        }
        self.cells += 1;
        // Rule 3b: one backward RM cell for each forward one, or more if no data waits. Rule 3c:
        // else data.
        if !(self.backward_sent && data)
            && let Some(backward) = self.backward.take()
        {
            self.backward_sent = true;
            return AbrCell::Rm(backward);
        }
        debug_assert!(data, "a cell leaves although none waits");
        AbrCell::Data
    }

    /// If a data cell may leave at `now`, and no RM cell has to start before it, starts the cell
    /// and returns true.
    #[inline]
    pub fn passes(&mut self, now: Time) -> bool {
        let may = self.last.is_some_and(|last| last + self.interval <= now)
            && self.backward.is_none()
            && !self.is_below_tcr()
            && !self.forward_is_due(now);
        if may {
            self.last = Some(now);
            self.cells += 1;
        }
        may
    }

    /// True if a turned-around RM cell leaves before data: rule 3b.
    #[inline]
    pub fn backward_is_next(&self) -> bool {
        self.backward.is_some() && !self.backward_sent
    }

    /// The number of data cells that may leave back to back, the first at `start`, if no RM cell
    /// arrives meanwhile.
    pub fn data_from(&self, start: Time) -> u32 {
        if self.is_below_tcr() || self.backward_is_next() {
            return 0;
        }
        // Rule 3a: before a forward RM cell is due.
        let Contract { nrm, mrm, trm, .. } = self.contract;
        let by_number = (nrm - 1).saturating_sub(self.cells);
        let at_least = mrm.saturating_sub(self.cells);
        let in_time = match (self.forward_at + trm).since(start).ps() {
            0 => 0,
            ps => (ps - 1) / self.interval.ps().max(1) + 1,
        };
        let in_time = u32::try_from(in_time).unwrap_or(u32::MAX);
        by_number.min(at_least.max(in_time))
    }

    /// Records that `cells` data cells, at least one, leave back to back from `start` on.
    pub fn run(&mut self, start: Time, cells: u32) {
        self.cells += cells;
        self.last = Some(start + self.interval * u64::from(cells - 1));
    }

    /// Cancels the last `cells` data cells; the cell before them started at `last`.
    pub fn recall(&mut self, cells: u32, last: Time) {
        self.cells -= cells;
        self.last = Some(last);
    }

    /// Interval between in-rate cells.
    pub fn interval(&self) -> Duration {
        self.interval
    }

    /// A backward RM cell arrives.
    pub fn on_backward(&mut self, rm: &RmCell) {
        let Contract {
            pcr, rif, rdf, mcr, ..
        } = self.contract;
        let er = self.rounded(*rm).er;
        if !rm.bn {
            self.unanswered = 0;
        }
        // Rule 8: CI lowers the rate, and only a cell with neither CI nor NI raises it.
        let acr = if rm.ci {
            self.acr * (1.0 - rdf)
        } else if rm.ni {
            self.acr
        } else {
            (self.acr + rif * pcr).min(pcr)
        };
        // Rule 9: the explicit rate is the upper bound, MCR the lower.
        self.allow(acr.min(er).max(mcr));
    }

    /// Queues an RM cell to go back; returns true if it replaces a waiting RM cell.
    ///
    /// The older cell is dropped, because its information is stale: destination rules 3 and 4.
    pub fn turn_around(&mut self, backward: RmCell) -> bool {
        self.backward.replace(backward).is_some()
    }

    /// Makes the in-rate forward RM cell that starts at `now`.
    fn depart_forward(&mut self, now: Time, is_first: bool) -> RmCell {
        let Contract { icr, mcr, cdf, .. } = self.contract;
        let is_stale = !is_first && self.is_stale(now);
        self.forward_at = now;
        if is_stale {
            self.allow(icr);
        }
        if self.is_unanswered() {
            self.allow((self.acr * (1.0 - cdf)).max(mcr));
        }
        self.unanswered += 1;
        self.cells = 0;
        self.backward_sent = false;
        // Rule 7: the cell carries the new rate, and the cells behind it are sent at that rate.
        self.forward(false)
    }

    /// True if the allowed rate dates from longer than ADTF before `now`: rule 5.
    fn is_stale(&self, now: Time) -> bool {
        let Contract { icr, adtf, .. } = self.contract;
        self.acr > icr && now.since(self.forward_at) > adtf
    }

    /// True if CRM forward RM cells are unanswered: rule 6.
    fn is_unanswered(&self) -> bool {
        let Contract { crm, cdf, .. } = self.contract;
        cdf > 0.0 && self.unanswered >= crm
    }

    /// Makes an out-of-rate RM cell, for a source whose allowed rate is below TCR: rule 11.
    ///
    /// Such a source sends no cell in rate. A backward RM cell leaves together with the forward RM
    /// cell, because the other end would wait for it in vain: destination rule 6.
    fn depart_out_of_rate(&mut self, now: Time) -> RmCell {
        if !self.out_of_rate_backward
            && let Some(backward) = self.backward.take()
        {
            self.out_of_rate_backward = true;
            return RmCell {
                clp: true,
                ..backward
            };
        }
        self.out_of_rate_backward = false;
        self.out_of_rate_at = now + interval(self.contract.tcr);
        self.forward(true)
    }

    /// A forward RM cell that starts now: rule 10.
    fn forward(&self, clp: bool) -> RmCell {
        self.rounded(RmCell {
            // Rule 4: in-rate cells have CLP 0.
            clp,
            er: self.contract.pcr,
            ccr: self.acr,
            mcr: self.contract.mcr,
            ..RmCell::default()
        })
    }

    fn rounded(&self, rm: RmCell) -> RmCell {
        if self.contract.quantised {
            rm.quantised()
        } else {
            rm
        }
    }

    /// True if an in-rate forward RM cell is due at `now`: rule 3a.
    #[inline]
    fn forward_is_due(&self, now: Time) -> bool {
        let Contract { nrm, mrm, trm, .. } = self.contract;
        self.cells + 1 >= nrm || self.cells >= mrm && now >= self.forward_at + trm
    }

    /// True if the source may send nothing in rate. At exactly TCR it may send: a source whose
    /// minimum rate is TCR could otherwise never send.
    #[inline]
    fn is_below_tcr(&self) -> bool {
        self.acr < self.contract.tcr
    }

    /// Changes the allowed cell rate, which stays between the minimum and the peak: rule 1.
    fn allow(&mut self, acr: f64) {
        let Contract { mcr, pcr, tcr, .. } = self.contract;
        debug_assert!(mcr <= acr && acr <= pcr, "the rate is outside the contract");
        let was_below = self.is_below_tcr();
        let acr = acr.min(self.cap);
        self.acr = acr;
        self.interval = interval(acr);
        if was_below || !self.is_below_tcr() {
            return;
        }
        self.out_of_rate_backward = false;
        if self.last.is_some() {
            let next = self.forward_at + interval(tcr);
            self.out_of_rate_at = self.out_of_rate_at.max(next);
        }
    }
}

/// The interval between cells at `rate` cells per second, rounded up; for a rate of zero, the
/// longest duration.
fn interval(rate: f64) -> Duration {
    // A float too large for an integer becomes the largest integer.
    Duration::from_ps((1e12 / rate).ceil() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_out_of_rate_cell_does_not_delay_a_backward_cell() {
        let contract = Contract {
            pcr: 1000.0,
            mcr: 0.0,
            icr: 1000.0,
            tcr: 10.0,
            nrm: 32,
            mrm: 2,
            trm: Duration::from_ms(100),
            rif: 1.0,
            rdf: 0.0,
            crm: 16,
            cdf: 0.0,
            adtf: Duration::from_ms(500),
            quantised: false,
        };
        let told = |er| RmCell {
            backward: true,
            er,
            ..RmCell::default()
        };
        let is_backward = |departure| matches!(departure, AbrCell::Rm(rm) if rm.backward);
        let mut source = AbrSource::new(contract);
        let ms = |ms| Time::ZERO + Duration::from_ms(ms);
        source.depart(ms(0), true);
        source.on_backward(&told(0.0));
        source.turn_around(told(5.0));
        assert!(is_backward(source.depart(ms(100), true)));
        // The rate rises, and falls again before a forward cell leaves.
        source.on_backward(&told(500.0));
        source.on_backward(&told(0.0));
        source.turn_around(told(6.0));
        assert!(is_backward(source.depart(ms(200), true)));
    }
}
