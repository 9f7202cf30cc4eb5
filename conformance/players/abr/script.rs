//! Reading and playing scripts.

use std::collections::VecDeque;

use kernel::{Duration, Time};
use models::abr::{AbrCell, AbrSource, Contract, Destination, RmCell};

/// Plays a script; returns the first failure, with its line.
pub fn play(text: &str) -> Result<(), String> {
    let mut stage: Option<Stage> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default();
        let words: Vec<&str> = line.split_whitespace().collect();
        let told = match (&words[..], &mut stage) {
            ([], _) => Ok(()),
            (["contract", parameters @ ..], None) => {
                stage = Some(Stage::new(contract(parameters)));
                Ok(())
            }
            ([at, what @ ..], Some(stage)) => stage.act(ms(at), what),
            _ => Err("a script begins with its contract".to_string()),
        };
        told.map_err(|told| format!("line {number}: {told}"))?;
    }
    Ok(())
}

/// A source and a destination, and the cells that have left them.
struct Stage {
    source: AbrSource,
    destination: Destination,
    data: u32,
    now: Time,
    left: VecDeque<(Time, AbrCell)>,
}

impl Stage {
    fn new(contract: Contract) -> Stage {
        Stage {
            source: AbrSource::new(contract),
            destination: Destination::default(),
            data: 0,
            now: Time::ZERO,
            left: VecDeque::new(),
        }
    }

    fn act(&mut self, now: Time, what: &[&str]) -> Result<(), String> {
        match what {
            ["sends", kind, fields @ ..] => return self.expect(now, kind, fields),
            ["acr", rate] => {
                self.run(now);
                self.nothing_left()?;
                let (expected, acr) = (number(rate), self.source.acr());
                return if (acr - expected).abs() < 1e-9 * expected.max(1.0) {
                    Ok(())
                } else {
                    Err(format!("the rate is {acr}"))
                };
            }
            _ => {}
        }
        self.run(now);
        self.nothing_left()?;
        match what {
            ["data", cells] => self.data += number(cells) as u32,
            ["arrives", "data"] => self.destination.on_data(false),
            ["arrives", "efci"] => self.destination.on_data(true),
            ["arrives", "brm", fields @ ..] => {
                let backward = RmCell {
                    backward: true,
                    ..rm_cell(fields)
                };
                self.source.on_backward(&backward);
            }
            ["arrives", "frm", fields @ ..] => {
                let backward = self.destination.turn_around(rm_cell(fields));
                self.source.turn_around(backward);
            }
            other => return Err(format!("`{}` is not understood", other.join(" "))),
        }
        // Cells that are due at this instant leave now.
        self.run(now);
        Ok(())
    }

    /// Lets all cells leave that are due up to `now`.
    fn run(&mut self, now: Time) {
        loop {
            let at = self.source.next_departure(self.data > 0).max(self.now);
            if at > now {
                self.now = self.now.max(now);
                return;
            }
            self.now = at;
            let departure = self.source.depart(at, self.data > 0);
            self.data -= u32::from(departure == AbrCell::Data);
            self.left.push_back((at, departure));
        }
    }

    fn nothing_left(&self) -> Result<(), String> {
        match self.left.front() {
            None => Ok(()),
            Some(first) => Err(format!("{} was not expected", show(first))),
        }
    }

    fn expect(&mut self, now: Time, kind: &str, fields: &[&str]) -> Result<(), String> {
        let (cells, every, fields) = match fields {
            [count, "every", gap, fields @ ..] => (
                number(count.trim_start_matches('x')) as u64,
                ms(gap).since(Time::ZERO),
                fields,
            ),
            fields => (1, Duration::ZERO, fields),
        };
        for cell in 0..cells {
            let at = now + every * cell;
            self.run(at);
            let first = self.left.pop_front().ok_or("nothing left")?;
            let (left_at, departure) = first;
            let is = match departure {
                AbrCell::Data => "data",
                AbrCell::Rm(rm) if rm.backward => "brm",
                AbrCell::Rm(_) => "frm",
            };
            if is != kind || left_at != at {
                return Err(format!("{} left instead", show(&first)));
            }
            if let AbrCell::Rm(rm) = departure {
                compare(&rm, fields)?;
            }
        }
        Ok(())
    }
}

fn compare(rm: &RmCell, fields: &[&str]) -> Result<(), String> {
    for (name, set) in [("ci", rm.ci), ("ni", rm.ni), ("bn", rm.bn), ("clp", rm.clp)] {
        if fields.contains(&name) != set {
            return Err(format!("{name} is {}set", if set { "" } else { "not " }));
        }
    }
    for field in fields {
        let Some((name, expected)) = field.split_once('=') else {
            continue;
        };
        let is = match name {
            "er" => rm.er,
            "ccr" => rm.ccr,
            "mcr" => rm.mcr,
            other => return Err(format!("`{other}` is not a field")),
        };
        if (is - number(expected)).abs() > 1e-9 * is {
            return Err(format!("{name} is {is}"));
        }
    }
    Ok(())
}

fn show((at, departure): &(Time, AbrCell)) -> String {
    let kind = match departure {
        AbrCell::Data => "data",
        AbrCell::Rm(rm) if rm.backward => "brm",
        AbrCell::Rm(_) => "frm",
    };
    format!("{kind} at {} ms", at.seconds() * 1e3)
}

fn rm_cell(fields: &[&str]) -> RmCell {
    let mut rm = RmCell {
        er: f64::INFINITY,
        ..RmCell::default()
    };
    for field in fields {
        match field.split_once('=') {
            Some(("er", rate)) => rm.er = number(rate),
            Some(("ccr", rate)) => rm.ccr = number(rate),
            Some(("mcr", rate)) => rm.mcr = number(rate),
            _ => match *field {
                "ci" => rm.ci = true,
                "ni" => rm.ni = true,
                "bn" => rm.bn = true,
                "clp" => rm.clp = true,
                other => panic!("`{other}` is not a field of an RM cell"),
            },
        }
    }
    rm
}

/// The parameters that the line names; the others are small round numbers.
fn contract(parameters: &[&str]) -> Contract {
    let mut contract = Contract {
        pcr: 1000.0,
        mcr: 0.0,
        icr: 1000.0,
        tcr: 10.0,
        nrm: 32,
        mrm: 2,
        trm: Duration::from_ms(100),
        rif: 1.0 / 16.0,
        rdf: 1.0 / 16.0,
        crm: 1000,
        cdf: 1.0 / 16.0,
        adtf: Duration::from_ms(500),
        quantised: false,
    };
    for parameter in parameters {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, "1"));
        let value = number(value);
        match name {
            "pcr" => contract.pcr = value,
            "mcr" => contract.mcr = value,
            "icr" => contract.icr = value,
            "tcr" => contract.tcr = value,
            "nrm" => contract.nrm = value as u32,
            "mrm" => contract.mrm = value as u32,
            "trm" => contract.trm = Duration::from_seconds_f64(value / 1e3),
            "rif" => contract.rif = value,
            "rdf" => contract.rdf = value,
            "crm" => contract.crm = value as u32,
            "cdf" => contract.cdf = value,
            "adtf" => contract.adtf = Duration::from_seconds_f64(value / 1e3),
            "quantised" => contract.quantised = true,
            other => panic!("`{other}` is not a parameter"),
        }
    }
    contract
}

fn ms(text: &str) -> Time {
    Time::ZERO + Duration::from_seconds_f64(number(text) / 1e3)
}

fn number(text: &str) -> f64 {
    text.parse()
        .unwrap_or_else(|_| panic!("`{text}` is not a number"))
}
