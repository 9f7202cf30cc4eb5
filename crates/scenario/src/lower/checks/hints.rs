//! Hints that list kinds of a family; they are computed, so that a new member is listed too.

use models::output::discard::DiscardSpec;
use parameters::shape::MemberShape;
use parameters::{Parameter, Shape, ValueTable, suggest, understand};

/// The kinds of a family for whose members `is_meant` returns true, as `` `a`, `b` or `c` ``. Each
/// kind is tried with an example of its required parameters.
pub fn kinds<F: Parameter>(is_meant: impl Fn(&F) -> bool) -> String {
    listed(&meant(is_meant), |kind| kind.name.to_string())
}

/// The same kinds as a user writes them for the parameter `name`:
/// `` `name.a = {}` or `name.b = {}` ``.
pub fn tables<F: Parameter>(name: &str, is_meant: impl Fn(&F) -> bool) -> String {
    listed(&meant(is_meant), |kind| {
        format!("{name}.{} = {}", kind.name, kind.shape.example())
    })
}

fn meant<F: Parameter>(is_meant: impl Fn(&F) -> bool) -> Vec<MemberShape> {
    let Shape::Family(family) = F::shape() else {
        unreachable!("only families have kinds");
    };
    let kinds = family.kinds.into_iter().filter(|kind| {
        let example = ValueTable::of([(kind.name, kind.shape.example())]);
        understand::<F>(&example.into()).is_ok_and(|member| is_meant(&member))
    });
    kinds.collect()
}

fn listed(kinds: &[MemberShape], write: impl Fn(&MemberShape) -> String) -> String {
    let kinds: Vec<String> = kinds.iter().map(write).collect();
    suggest::either(kinds.iter().map(String::as_str))
}

/// The hint beside a discard policy that needs a shared queue, if each VC has a queue of its own.
pub fn discard_of_one_vc() -> String {
    let is_meant = |one: &DiscardSpec| {
        !one.needs_shared_queue() && !one.pushes_out() && one.trimming().is_none()
    };
    format!("choose {}, which look at one VC alone", kinds(is_meant))
}

#[cfg(test)]
mod tests {
    use super::*;
    use models::link::loss::LossSpec;
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
        let by_credit = tables("scheduler", |one: &SchedulerSpec| one.serves_by_credit());
        assert_eq!(by_credit, "`scheduler.round_robin = {}`");
    }
}
