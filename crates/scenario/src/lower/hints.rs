//! Hints that list kinds of a family, so that a new member is listed too.

use models::output::discard::DiscardSpec;
use parameters::{Parameter, Path, Problems, Shape, SourceId, suggest};

use crate::document;

/// The kinds of a family for which `is_meant` is true, as `` `a`, `b` or `c` ``; an example of each is
/// tried.
pub fn kinds<F: Parameter>(is_meant: impl Fn(&F) -> bool) -> String {
    let Shape::Family(family) = F::shape() else {
        unreachable!("only families have kinds");
    };
    let kinds = family.kinds.iter().filter(|kind| {
        let example = format!("{{ {} = {} }}", kind.name, kind.shape.example());
        let written = document::parse_value(SourceId(0), &example, 0);
        let written = written.expect("an example is a value");
        let member = F::read(&written, &Path::root(), &mut Problems::default());
        member.is_some_and(|member| is_meant(&member))
    });
    suggest::either(kinds.map(|kind| kind.name))
}

/// The hint beside a discard policy that compares channels, where each channel has its own queue.
pub fn discard_of_one_channel() -> String {
    let is_meant = |one: &DiscardSpec| !one.is_for_shared_queues() && !one.pushes_out();
    format!(
        "choose {}, which look at one channel alone",
        kinds(is_meant)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use models::loss::LossSpec;
    use models::output::scheduler::SchedulerSpec;

    fn count(listed: &str) -> usize {
        listed.matches('`').count() / 2
    }

    #[test]
    fn every_kind_is_asked() {
        assert_eq!(
            count(&kinds(|_: &SchedulerSpec| true)),
            SchedulerSpec::kinds().len()
        );
        assert_eq!(
            count(&kinds(|_: &DiscardSpec| true)),
            DiscardSpec::kinds().len()
        );
        assert_eq!(count(&kinds(|_: &LossSpec| true)), LossSpec::kinds().len());
        assert_eq!(kinds(|_: &LossSpec| false), "none");
    }

    #[test]
    fn the_last_of_several_comes_after_or() {
        let in_order = kinds(|one: &SchedulerSpec| one.is_in_order());
        assert_eq!(in_order, "`fifo`");
        let by_class = kinds(|one: &SchedulerSpec| one.knows_classes());
        assert_eq!(by_class, "`strict_priority` or `multiclass`");
    }
}
