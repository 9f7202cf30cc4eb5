//! The functions that the worker calls. Texts pass through a buffer in the memory of the module.

// Only the names of these functions are unsafe: another function of the same name would replace them.
#![allow(unsafe_code)]

use std::cell::RefCell;
use std::panic;

use scenario::generate;
use scenario::watch::KeptPdu;
use serde_json::Value;

use crate::player::{Choice, Message, Player, Source};

/// The player, and the buffer through which texts pass.
#[derive(Default)]
struct Host {
    player: Player,
    buffer: Vec<u8>,
}

thread_local! {
    static HOST: RefCell<Host> = RefCell::default();
    /// Message and place of a panic, after which the module cannot be used again.
    static PANIC: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

fn with<T>(work: impl FnOnce(&mut Host) -> T) -> T {
    HOST.with_borrow_mut(work)
}

impl Host {
    /// Takes the text that the worker has written into the buffer.
    fn text(&mut self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut self.buffer)).into_owned()
    }

    /// Leaves octets in the buffer for the worker, and returns their number.
    fn leave(&mut self, octets: Vec<u8>) -> usize {
        self.buffer = octets;
        self.buffer.len()
    }
}

/// Makes the buffer `length` octets long, and returns its address.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    with(|host| {
        host.buffer = vec![0; length];
        host.buffer.as_mut_ptr()
    })
}

/// Address of the buffer.
#[unsafe(no_mangle)]
pub extern "C" fn place() -> *const u8 {
    with(|host| host.buffer.as_ptr())
}

/// Takes the catalogue in the buffer: a list of objects in JSON, with the keys `name` and `text`.
#[unsafe(no_mangle)]
pub extern "C" fn catalogue() {
    panic::set_hook(Box::new(|info| {
        let text = info.to_string().into_bytes();
        PANIC.set(text);
    }));
    with(|host| {
        let read: Value = serde_json::from_str(&host.text()).unwrap_or_default();
        let items = read.as_array().into_iter().flatten();
        host.player = Player::new(items.map(source).collect());
    });
}

fn source(item: &Value) -> Source {
    let text = |key| item[key].as_str().unwrap_or_default().to_string();
    Source {
        name: text("name"),
        text: text("text"),
    }
}

/// Opens what the object in JSON in the buffer names: an `item` or a `text`, and perhaps a `point`, a
/// `replication`, a `seed`, which is a text, since JSON in a browser has no such large numbers, and
/// `kept`: the hop, the flow and the PDU of a drop that is undone.
#[unsafe(no_mangle)]
pub extern "C" fn begin() {
    with(|host| {
        let read: Value = serde_json::from_str(&host.text()).unwrap_or_default();
        let number = |key: &str| read[key].as_u64();
        let choice = Choice {
            point: number("point").unwrap_or(0),
            replication: number("replication").unwrap_or(0),
            seed: read["seed"].as_str().and_then(|seed| seed.parse().ok()),
            kept: kept(&read["kept"]),
        };
        let text = read["text"].as_str().map(ToString::to_string);
        host.player
            .begin(number("item").map(|item| item as usize), text, choice);
    });
}

fn kept(read: &Value) -> Option<KeptPdu> {
    let number = |key: &str| read[key].as_u64().map(|number| number as u32);
    Some(KeptPdu {
        hop: number("hop")?,
        flow: number("flow")?,
        pdu: number("pdu")?,
    })
}

/// Handles the command in the buffer.
#[unsafe(no_mangle)]
pub extern "C" fn handle() {
    with(|host| {
        let command = host.text();
        host.player.handle(&command);
    });
}

/// Advances the run; `clock` is the time in seconds. Returns the seconds until the next call.
#[unsafe(no_mangle)]
pub extern "C" fn advance(clock: f64) -> f64 {
    with(|host| host.player.advance(clock))
}

/// Leaves the next message in the buffer: 1 for a text, 2 for a snapshot, 0 for none. Its length is
/// that of [`length`].
#[unsafe(no_mangle)]
pub extern "C" fn message() -> u32 {
    with(|host| match host.player.message() {
        None => 0,
        Some(Message::Text(text)) => {
            host.leave(text.into_bytes());
            1
        }
        Some(Message::Snapshot(packed)) => {
            host.leave(packed);
            2
        }
    })
}

/// Number of octets in the buffer.
#[unsafe(no_mangle)]
pub extern "C" fn length() -> usize {
    with(|host| host.buffer.len())
}

/// Replaces the scenario in the buffer by its problems, a list in JSON; returns its length.
#[unsafe(no_mangle)]
pub extern "C" fn check() -> usize {
    with(|host| {
        let text = host.text();
        let problems = Player::problems(text);
        host.leave(problems.into_bytes())
    })
}

/// Leaves the numbers of the run in the buffer, as CSV, and returns their length; zero before its
/// end.
#[unsafe(no_mangle)]
pub extern "C" fn table() -> usize {
    with(|host| {
        let table = host.player.table().unwrap_or_default();
        host.leave(table.into_bytes())
    })
}

/// Leaves the JSON Schema of scenarios in the buffer, and returns its length.
#[unsafe(no_mangle)]
pub extern "C" fn schema() -> usize {
    with(|host| host.leave(generate::schema().into_bytes()))
}

/// Address of the message of a panic, after one.
#[unsafe(no_mangle)]
pub extern "C" fn panicked() -> *const u8 {
    PANIC.with_borrow(std::vec::Vec::as_ptr)
}

/// Length of the message of a panic; zero if there was none.
#[unsafe(no_mangle)]
pub extern "C" fn panicked_length() -> usize {
    PANIC.with_borrow(Vec::len)
}
