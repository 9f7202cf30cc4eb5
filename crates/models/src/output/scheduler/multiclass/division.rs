//! How a link is divided among classes of which it is known what they ask for.

use super::Promise;
use crate::class::{ByClass, Class};

/// What `class` gets of a link when it always has cells, and each other class asks for so much; all
/// in cells a second.
///
/// This is what credits and fair queueing come to in the long run.
pub fn capacity(promises: &ByClass<Promise>, class: Class, link: f64, asked: &ByClass<f64>) -> f64 {
    let own = promises[class.index()];
    let guaranteed = own.share * link;
    let mut left = link - guaranteed;
    let mut wanting = Vec::new();
    for other in Class::ALL.into_iter().filter(|other| *other != class) {
        let promise = promises[other.index()];
        let asked = asked[other.index()];
        // What a class does not use of its guarantee is left.
        let given = asked.min(promise.share * link);
        left -= given;
        wanting.push(Wanting {
            before: !promise.greedy && (own.greedy || other < class),
            greedy: promise.greedy,
            weight: f64::from(promise.weight),
            more: asked - given,
        });
    }
    // Shares that make up the whole link may come to more by a rounding.
    left = left.max(0.0);
    for other in wanting.iter().filter(|other| other.before) {
        left -= other.more.min(left);
    }
    if own.greedy {
        wanting.retain(|other| other.greedy);
        left = portion(f64::from(own.weight), left, wanting);
    }
    guaranteed + left
}

/// A class that may want more than it is guaranteed.
struct Wanting {
    /// It takes of what is left before anything of that is divided.
    before: bool,
    /// It takes part in the division.
    greedy: bool,
    weight: f64,
    /// How much it wants beyond its guarantee.
    more: f64,
}

/// The part of `left` that one who wants all of it gets by its weight: nobody else takes more than he
/// wants.
fn portion(weight: f64, mut left: f64, mut others: Vec<Wanting>) -> f64 {
    // Who wants least for his weight is satisfied first.
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
    use super::super::credit::Credits;
    use super::*;
    use crate::output::classes::ClassScheduler;

    /// Cells a hundred slots that `class` sends when it always has some, and the others get so many.
    fn sent(scheduler: &Multiclass, class: Class, asked: &ByClass<f64>) -> f64 {
        const SLOTS: u32 = 100_000;
        let mut credits = Credits::new(&scheduler.promises());
        let mut waiting = [0u32; 5];
        let mut came = [0u32; 5];
        let mut sent = 0;
        credits.begin(class);
        for slot in 0..SLOTS {
            for other in Class::ALL.into_iter().filter(|other| *other != class) {
                let place = other.index();
                while f64::from(came[place]) < f64::from(slot) * asked[place] / 100.0 {
                    came[place] += 1;
                    waiting[place] += 1;
                    if waiting[place] == 1 {
                        credits.begin(other);
                    }
                }
            }
            let next = credits.next().expect("somebody always has cells");
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
    fn who_wants_least_for_his_weight_is_satisfied_first() {
        let wanting = |weight, more| Wanting {
            before: false,
            greedy: true,
            weight,
            more,
        };
        for turned in [false, true] {
            let mut others = vec![wanting(10.0, 20.0), wanting(2.0, 60.0)];
            if turned {
                others.reverse();
            }
            // Of 100 the first gets the 20 that it wants, and of the 80 left the second two thirds.
            let left = portion(1.0, 100.0, others);
            assert!((left - 80.0 / 3.0).abs() < 1e-9, "{left}");
        }
    }

    #[test]
    fn it_is_what_credits_and_fair_queueing_come_to() {
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
            // Nobody else wants anything.
            (&shares, Class::Abr, [0.0; 5], 100.0),
            // Less than is guaranteed to them.
            (&shares, Class::Abr, [5.0, 10.0, 0.0, 0.0, 5.0], 80.0),
            // All that is left goes before.
            (&shares, Class::Abr, [90.0, 20.0, 5.0, 0.0, 90.0], 30.0),
            // Three quarters of the 50 that are left beyond what is guaranteed and used.
            (&shares, Class::Abr, [0.0, 10.0, 0.0, 0.0, 90.0], 67.5),
            // UBR wants no more than six of them.
            (&shares, Class::Abr, [0.0, 10.0, 0.0, 0.0, 16.0], 74.0),
            // ABR is before all that is divided.
            (&patient, Class::Abr, [0.0, 90.0, 0.0, 0.0, 90.0], 70.0),
            (&patient, Class::Abr, [30.0, 90.0, 0.0, 0.0, 90.0], 40.0),
            // Two thirds of the 40 that are left.
            (
                &patient,
                Class::RtVbr,
                [0.0, 0.0, 0.0, 30.0, 90.0],
                20.0 + 40.0 * 2.0 / 3.0,
            ),
        ];
        for (scheduler, class, asked, expected) in cases {
            let found = capacity(&scheduler.promises(), class, 100.0, &asked);
            assert!((found - expected).abs() < 1e-9, "{asked:?}: {found}");
            let sent = sent(scheduler, class, &asked);
            assert!((sent / expected - 1.0).abs() < 0.005, "{asked:?}: {sent}");
        }
    }

    #[test]
    fn no_class_is_left_less_than_it_is_guaranteed_nor_more_than_the_link() {
        let shares: Multiclass = understand(&value!({
            cbr = { share = "33.3 %" }, rt_vbr = { share = "33.3 %" }, abr = { share = "33.4 %" },
        }))
        .expect("a scheduler");
        for asked in [[0.0; 5], [1e-300; 5], [1e9; 5], [1e300; 5]] {
            let found = capacity(&shares.promises(), Class::Abr, 1e6, &asked);
            assert!((333_999.9..=1e6).contains(&found), "{asked:?}: {found}");
            let found = capacity(&shares.promises(), Class::Ubr, 1e6, &asked);
            assert!((0.0..=1e6).contains(&found), "{asked:?}: {found}");
        }
    }
}
