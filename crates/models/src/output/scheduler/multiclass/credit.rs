//! The choice of the next class. Our own rule: credits for guaranteed cells. For the excess,
//! start-time fair queueing: Goyal, Vin and Cheng, IEEE/ACM Transactions on Networking 5(5), 1997.

use super::Promise;
use crate::output::choice::classes::ClassScheduler;
use crate::wire::class::{ByClass, Class};

/// The credit for one cell in fixed point; shares are multiples of 2^-32.
const CELL: u64 = 1 << 32;

/// Advance of the start tag of a class with weight one for a cell beyond its guarantee.
const CHARGE: u64 = 1 << 28;

/// The credits of the classes of one output.
pub struct ClassCredits {
    accounts: ByClass<Account>,
    /// Virtual time: the start tag of the last cell sent beyond the guarantees.
    virtual_time: u64,
}

#[derive(Clone, Copy)]
struct Account {
    waits: bool,
    credit: u64,
    /// Credit that the class earns with each cell of the link.
    share: u64,
    /// Largest credit of the class while none of its cells wait.
    burst: u64,
    greedy: bool,
    /// Start tag of the next cell beyond the guarantee, while any cell waits.
    start: u64,
    /// Advance of the start tag with each cell beyond the guarantee.
    charge: u64,
}

impl Account {
    fn new(promise: &Promise) -> Account {
        let share = (promise.share * CELL as f64) as u64;
        // A class without a share has no credit.
        let burst = if share > 0 { promise.burst * CELL } else { 0 };
        Account {
            waits: false,
            credit: burst,
            share,
            burst,
            greedy: promise.greedy,
            start: 0,
            charge: CHARGE / u64::from(promise.weight),
        }
    }

    fn can_pay(&self) -> bool {
        self.waits && self.credit >= CELL
    }
}

impl ClassCredits {
    /// The credits at the start of the run: each class has its full burst.
    pub fn new(promises: &ByClass<Promise>) -> ClassCredits {
        ClassCredits {
            accounts: promises.each_ref().map(Account::new),
            virtual_time: 0,
        }
    }

    /// The class that takes the next cell time if no class has enough credit.
    fn left_over(&self) -> Option<usize> {
        let waiting = self.accounts.iter().enumerate();
        let mut waiting = waiting.filter(|(_, account)| account.waits);
        let first = |(_, account): &(usize, &Account)| !account.greedy;
        let by_priority = waiting.clone().find(first);
        // Of classes with equal tags, the first in the order of priority is chosen.
        let next =
            by_priority.or_else(|| waiting.by_ref().min_by_key(|(_, account)| account.start));
        next.map(|(class, _)| class)
    }
}

impl ClassScheduler for ClassCredits {
    fn begin(&mut self, class: Class) {
        let account = &mut self.accounts[class.index()];
        account.waits = true;
        account.start = account.start.max(self.virtual_time);
    }

    fn next(&self) -> Option<Class> {
        let paying = self.accounts.iter().position(Account::can_pay);
        let next = paying.or_else(|| self.left_over())?;
        Some(Class::ALL[next])
    }

    fn served(&mut self, class: Class, more: bool) {
        let account = &mut self.accounts[class.index()];
        if account.credit >= CELL {
            account.credit -= CELL;
        } else if account.greedy {
            self.virtual_time = account.start;
            account.start += account.charge;
        }
        account.waits = more;
        for account in &mut self.accounts {
            account.credit += account.share;
            if !account.waits {
                account.credit = account.credit.min(account.burst);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use parameters::{ParameterTable, understand, value};

    use super::super::Multiclass;
    use super::*;

    /// Number of cells that each class sends in `slots` cell times, if the classes `waiting` always
    /// have cells waiting.
    fn sent(scheduler: &Multiclass, waiting: &[Class], slots: u32) -> [u32; 5] {
        let mut state = ClassCredits::new(&scheduler.promises());
        for class in waiting {
            state.begin(*class);
        }
        let mut sent = [0; 5];
        for _ in 0..slots {
            let class = state.next().expect("a class waits");
            state.served(class, true);
            sent[class.index()] += 1;
        }
        sent
    }

    fn scheduler() -> Multiclass {
        understand(&value!({
            cbr = { share = "10 %" },
            rt_vbr = { share = "15 %" },
            nrt_vbr = { share = "12.5 %" },
            abr = { share = "30 %", weight = 3 },
            ubr = { share = "5 %" },
        }))
        .expect("a scheduler")
    }

    #[test]
    fn every_class_has_its_share_under_overload_and_the_first_takes_the_excess() {
        let sent = sent(&scheduler(), &Class::ALL, 100_000);
        for (sent, share) in sent.iter().zip([37_500, 15_000, 12_500, 30_000, 5_000]) {
            // At the start the classes spend the credit for 26 cells that they have saved up.
            assert!(sent.abs_diff(share) <= 26, "{sent} of {share}");
        }
    }

    #[test]
    fn the_excess_is_divided_among_greedy_classes_by_weight() {
        let sent = sent(&scheduler(), &[Class::Abr, Class::Ubr], 100_000);
        // Weights of three quarters and one quarter divide the 65 % that no class is guaranteed.
        for (sent, share) in sent.iter().zip([0, 0, 0, 78_750, 21_250]) {
            assert!(sent.abs_diff(share) <= 10, "{sent} of {share}");
        }
    }

    #[test]
    fn without_shares_it_is_strict_priority_and_fair_queueing_behind_it() {
        let none = Multiclass::defaults();
        assert_eq!(sent(&none, &Class::ALL, 1000), [1000, 0, 0, 0, 0]);
        let sent = sent(&none, &[Class::Abr, Class::Ubr], 1000);
        assert_eq!(sent, [0, 0, 0, 500, 500]);
    }

    #[test]
    fn shares_of_a_whole_link_are_kept_to_a_few_cells() {
        let all: Multiclass = understand(&value!({
            cbr = { share = "33.3 %" }, rt_vbr = { share = "33.3 %" }, ubr = { share = "33.4 %" },
        }))
        .expect("a scheduler");
        let sent = sent(&all, &[Class::Cbr, Class::RtVbr, Class::Ubr], 1_000_000);
        for (sent, share) in [sent[0], sent[1], sent[4]]
            .iter()
            .zip([333_000, 333_000, 334_000])
        {
            assert!(sent.abs_diff(share) <= 10, "{sent} of {share}");
        }
    }

    #[test]
    fn a_class_that_was_idle_claims_no_more_than_its_burst() {
        let scheduler: Multiclass = understand(&value!({
            rt_vbr = { share = "50 %", burst = "3 cells" }, abr = { share = "50 %", burst = "1 cell" },
        }))
        .expect("a scheduler");
        let mut state = ClassCredits::new(&scheduler.promises());
        state.begin(Class::Abr);
        for _ in 0..1000 {
            state.served(Class::Abr, true);
        }
        state.begin(Class::RtVbr);
        let order: Vec<Class> = (0..8)
            .map(|_| {
                let class = state.next().expect("a class waits");
                state.served(class, true);
                class
            })
            .collect();
        let (vbr, abr) = (Class::RtVbr, Class::Abr);
        // VBR sends three cells from its saved credit and two from credit earned meanwhile; then
        // both classes send in turn.
        assert_eq!(order, [vbr, vbr, vbr, vbr, vbr, abr, vbr, abr]);
    }
}
