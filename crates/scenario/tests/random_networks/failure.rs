//! The failure of a network: the place and the message of its panic.

use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use crate::judge::judge;
use crate::mend::plan;

/// A panic.
#[derive(Clone, Debug, Default)]
pub struct Failure {
    /// Place in the sources.
    pub place: String,
    /// Message of the panic.
    pub message: String,
}

thread_local! {
    static IS_EXPECTED: Cell<bool> = const { Cell::new(false) };
    static LAST: RefCell<Failure> = RefCell::default();
}

/// The failure of a network, if it fails; a scenario with mistakes does not fail.
pub fn failure(text: &str) -> Option<Failure> {
    note_panics();
    IS_EXPECTED.set(true);
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| {
        if let Ok(plan) = plan(text) {
            judge(&plan);
        }
    }));
    IS_EXPECTED.set(false);
    outcome.is_err().then(|| LAST.take())
}

/// From now on, expected panics are stored instead of printed.
fn note_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let print = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !IS_EXPECTED.get() {
                return print(info);
            }
            LAST.set(Failure {
                place: info.location().map(ToString::to_string).unwrap_or_default(),
                message: info.payload_as_str().unwrap_or("nothing").to_string(),
            });
        }));
    });
}
