//! The division of a link among classes with known demands, in the long run, for explicit rates and
//! for tests. Our own result: it follows from the rule of `credit.rs`.

use super::Promise;
use crate::wire::class::{ByClass, Class};

/// The capacity that `class` gets of a link with capacity `link`, given the `demand` of the other
/// classes; all in cells per second. `class` always has cells waiting.
///
/// The result is the long-run average of credits and fair queueing.
pub fn capacity(
    promises: &ByClass<Promise>,
    class: Class,
    link: f64,
    demand: &ByClass<f64>,
) -> f64 {
    let own = promises[class.index()];
    let guaranteed = own.share * link;
    let mut left = link - guaranteed;
    let mut claims = Vec::new();
    for other in Class::ALL.into_iter().filter(|other| *other != class) {
        let promise = promises[other.index()];
        let demand = demand[other.index()];
        // The unused part of a guarantee adds to the excess.
        let given = demand.min(promise.share * link);
        left -= given;
        claims.push(Claim {
            before: !promise.greedy && (own.greedy || other < class),
            greedy: promise.greedy,
            weight: f64::from(promise.weight),
            more: demand - given,
        });
    }
    // Shares of the whole link may add up to more than one by a rounding error.
    left = left.max(0.0);
    for other in claims.iter().filter(|other| other.before) {
        left -= other.more.min(left);
    }
    if own.greedy {
        claims.retain(|other| other.greedy);
        left = portion(f64::from(own.weight), left, claims);
    }
    guaranteed + left
}

/// A class other than `class` that may demand more than its guarantee.
struct Claim {
    /// True if the class takes excess by priority, before the rest is divided by weight.
    before: bool,
    /// True if the class takes part in the division by weight.
    greedy: bool,
    weight: f64,
    /// Demand of the class beyond its guarantee.
    more: f64,
}

/// The part of the excess `left` that a class of weight `weight` and unlimited demand gets; each of
/// the `others` takes at most its demand.
fn portion(weight: f64, mut left: f64, mut others: Vec<Claim>) -> f64 {
    // The class with the least demand for its weight gets all of it first.
    others.sort_by(|one, other| (one.more / one.weight).total_cmp(&(other.more / other.weight)));
    let mut weights = weight + others.iter().map(|other| other.weight).sum::<f64>();
    for other in &others {
        let given = (left * other.weight / weights).min(other.more);
        left -= given;
        weights -= other.weight;
    }
    left
}

#[cfg(test)]
mod tests {
    use parameters::{understand, value};

    use super::super::Multiclass;
    use super::super::credit::ClassCredits;
    use super::*;
    use crate::output::choice::classes::ClassScheduler;

    /// Cells that `class` sends in a hundred cell times, if it always has cells waiting and the
    /// other classes receive `demand`.
    fn sent(scheduler: &Multiclass, class: Class, demand: &ByClass<f64>) -> f64 {
        const SLOTS: u32 = 100_000;
        let mut credits = ClassCredits::new(&scheduler.promises());
        let mut waiting = [0u32; 5];
        let mut arrived = [0u32; 5];
        let mut sent = 0;
        credits.begin(class);
        for slot in 0..SLOTS {
            for other in Class::ALL.into_iter().filter(|other| *other != class) {
                let index = other.index();
                while f64::from(arrived[index]) < f64::from(slot) * demand[index] / 100.0 {
                    arrived[index] += 1;
                    waiting[index] += 1;
                    if waiting[index] == 1 {
                        credits.begin(other);
                    }
                }
            }
            let next = credits.next().expect("`class` always has cells");
            if next == class {
                sent += 1;
                credits.served(next, true);
            } else {
                waiting[next.index()] -= 1;
                credits.served(next, waiting[next.index()] > 0);
            }
        }
        100.0 * f64::from(sent) / f64::from(SLOTS)
    }

    #[test]
    fn the_least_demand_for_its_weight_is_satisfied_first() {
        let claim = |weight, more| Claim {
            before: false,
            greedy: true,
            weight,
            more,
        };
        for turned in [false, true] {
            let mut others = vec![claim(10.0, 20.0), claim(2.0, 60.0)];
            if turned {
                others.reverse();
            }
            // Of an excess of 100 the first class gets its demand of 20, and the second two thirds
            // of the other 80.
            let left = portion(1.0, 100.0, others);
            assert!((left - 80.0 / 3.0).abs() < 1e-9, "{left}");
        }
    }

    #[test]
    fn it_is_the_average_of_credits_and_fair_queueing() {
        let shares: Multiclass = understand(&value!({
            cbr = { share = "10 %" }, rt_vbr = { share = "20 %" }, nrt_vbr = { share = "5 %" },
            abr = { share = "30 %", weight = 3 }, ubr = { share = "10 %" },
        }))
        .expect("a scheduler");
        let patient: Multiclass = understand(&value!({
            rt_vbr = { share = "20 %", greedy = true, weight = 2 },
            abr = { share = "30 %", greedy = false }, ubr = { share = "10 %" },
        }))
        .expect("a scheduler");
        let cases = [
            // No other class has a demand.
            (&shares, Class::Abr, [0.0; 5], 100.0),
            // The demands are below the guarantees.
            (&shares, Class::Abr, [5.0, 10.0, 0.0, 0.0, 5.0], 80.0),
            // The classes that take excess by priority take all of it.
            (&shares, Class::Abr, [90.0, 20.0, 5.0, 0.0, 90.0], 30.0),
            // ABR gets three quarters of an excess of 50.
            (&shares, Class::Abr, [0.0, 10.0, 0.0, 0.0, 90.0], 67.5),
            // UBR demands six cells of the excess.
            (&shares, Class::Abr, [0.0, 10.0, 0.0, 0.0, 16.0], 74.0),
            // ABR takes excess before it is divided.
            (&patient, Class::Abr, [0.0, 90.0, 0.0, 0.0, 90.0], 70.0),
            (&patient, Class::Abr, [30.0, 90.0, 0.0, 0.0, 90.0], 40.0),
            // Real-time VBR gets two thirds of an excess of 40.
            (
                &patient,
                Class::RtVbr,
                [0.0, 0.0, 0.0, 30.0, 90.0],
                20.0 + 40.0 * 2.0 / 3.0,
            ),
        ];
        for (scheduler, class, demand, expected) in cases {
            let found = capacity(&scheduler.promises(), class, 100.0, &demand);
            assert!((found - expected).abs() < 1e-9, "{demand:?}: {found}");
            let sent = sent(scheduler, class, &demand);
            assert!((sent / expected - 1.0).abs() < 0.005, "{demand:?}: {sent}");
        }
    }

    #[test]
    fn no_class_gets_less_than_its_guarantee_nor_more_than_the_link() {
        let shares: Multiclass = understand(&value!({
            cbr = { share = "33.3 %" }, rt_vbr = { share = "33.3 %" }, abr = { share = "33.4 %" },
        }))
        .expect("a scheduler");
        for demand in [[0.0; 5], [1e-300; 5], [1e9; 5], [1e300; 5]] {
            let found = capacity(&shares.promises(), Class::Abr, 1e6, &demand);
            assert!((333_999.9..=1e6).contains(&found), "{demand:?}: {found}");
            let found = capacity(&shares.promises(), Class::Ubr, 1e6, &demand);
            assert!((0.0..=1e6).contains(&found), "{demand:?}: {found}");
        }
    }
}
