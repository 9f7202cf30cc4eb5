//! Presets: the variants of ERICA in publications.

use parameters::record::Presets;
use parameters::{Conflict, presets, understand};

use super::Erica;
use super::averaging::AveragingSpec;

presets! {
    /// ERICA as published.
    pub enum EricaPreset {
        /// Reproduces the tables of Jain et al., "TCP/IP over ABR", 1996: the rule as first
        /// published, with two modifications.
        tcp_over_abr_1996 => TcpOverAbr1996 {
            target = { utilization = "90 %" },
            interval = "1 ms",
            cells = 100,
            fair_share_first = true,
            one_feedback_per_interval = true,
        },
        /// Averages, and the additions of Kalyanaraman, dissertation, 1997, chapter 6, for equal
        /// rates and for sources that come and go; delta, alpha and decay are from later papers.
        kalyanaraman_1997 => Kalyanaraman1997 {
            target = { utilization = "90 %" },
            interval = "1 ms",
            cells = 100,
            averaging = { cells = { alpha = "20 %" } },
            max_alloc = { delta = "10 %" },
            fair_share_first = true,
            one_feedback_per_interval = true,
            bidirectional_counting = true,
            decay_count = { decay = "90 %" },
        },
        /// ERICA+: the queue is held at 0.5 ms, with a and b of Vandalore et al., 1998.
        erica_plus => EricaPlus {
            target = { queue = { delay = "0.5 ms", curve = { hyperbolic = { a = 1.15, b = 1.05 } } } },
            interval = "1 ms",
            cells = 100,
            fair_share_first = true,
            one_feedback_per_interval = true,
        },
    }
}

impl EricaPreset {
    /// The algorithm of the publication.
    pub fn published(self) -> Erica {
        understand(&self.filled().into()).expect("every preset is valid")
    }

    /// The conflict of a parameter that differs from a rule of the publication.
    pub fn conflict(self, erica: &Erica) -> Option<Conflict> {
        let published = rules(&self.published());
        let mut rules = rules(erica).into_iter().zip(published);
        let (rule, _) = rules.find(|(rule, published)| rule != published)?;
        Some(Conflict {
            name: rule.name,
            problem: format!("it differs from the preset `{}`", self.word()),
            hint: format!(
                "leave out `{}`, or the preset: `cellrelay check` prints the parameters that a \
                 preset sets",
                rule.name
            ),
        })
    }
}

/// A parameter that selects a rule, with its value.
#[derive(PartialEq)]
struct Rule {
    name: &'static str,
    way: &'static str,
}

/// The parameters that select rules. Two variants of ERICA differ in these and in numbers.
fn rules(erica: &Erica) -> [Rule; 10] {
    // The pattern names every field, so that a new parameter does not compile until it is listed
    // here.
    let Erica {
        preset: _,
        interval: _,
        cells: _,
        count: _,
        target,
        averaging,
        fairness,
        max_alloc,
        fair_share_first,
        one_feedback_per_interval,
        bidirectional_counting,
        decay_count,
        immediate_fair_share,
        per_vc_rate,
    } = erica;
    let rule = |name, way| Rule { name, way };
    let flag = |name, is_on| rule(name, if is_on { "on" } else { "off" });
    let averaging = averaging.as_ref().map_or("off", AveragingSpec::kind);
    [
        rule("target", target.kind()),
        rule("averaging", averaging),
        rule("fairness", fairness.word()),
        flag("max_alloc", max_alloc.is_some()),
        flag("fair_share_first", *fair_share_first),
        flag("one_feedback_per_interval", *one_feedback_per_interval),
        flag("bidirectional_counting", *bidirectional_counting),
        flag("decay_count", decay_count.is_some()),
        flag("immediate_fair_share", *immediate_fair_share),
        flag("per_vc_rate", *per_vc_rate),
    ]
}

#[cfg(test)]
mod tests {
    use parameters::{Parameter, Value, ValueTable, value};

    use super::*;

    fn with(preset: EricaPreset, name: &str, written: Value) -> Result<Erica, String> {
        let table = ValueTable::of([("preset", preset.write()), (name, written)]);
        understand(&table.into()).map_err(|problems| problems.to_string())
    }

    #[test]
    fn a_preset_equals_its_parameters_written_out() {
        for preset in EricaPreset::ALL {
            let table = ValueTable::of([("preset", preset.write())]);
            let named: Erica = understand(&table.into()).expect("it needs nothing else");
            let expected = Erica {
                preset: Some(*preset),
                ..preset.published()
            };
            assert_eq!(named, expected);
            assert_eq!(understand(&named.write()), Ok(named), "it reads back");
        }
    }

    #[test]
    fn numbers_may_be_changed_and_rules_may_not() {
        let changed = with(EricaPreset::EricaPlus, "interval", "5 ms".into()).expect("a number");
        assert_eq!(changed.interval, kernel::Duration::from_ms(5));
        let delay = value!({ queue = { delay = "1 ms" } });
        assert!(with(EricaPreset::EricaPlus, "target", delay).is_ok());
        let refused = [
            (
                EricaPreset::EricaPlus,
                "target",
                value!({ utilization = "90 %" }),
            ),
            (EricaPreset::TcpOverAbr1996, "max_alloc", value!({})),
            (
                EricaPreset::Kalyanaraman1997,
                "averaging",
                value!({ load = {} }),
            ),
            (
                EricaPreset::Kalyanaraman1997,
                "fair_share_first",
                value!(false),
            ),
        ];
        for (preset, name, written) in refused {
            let message = with(preset, name, written).expect_err(name);
            assert!(
                message.starts_with(&format!("{name}: it differs from the preset")),
                "{message}"
            );
        }
    }
}
