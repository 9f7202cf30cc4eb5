//! The macros as components of another crate use them: a family with a file for each member.

extern crate cellrelay_parameters as parameters;

mod discard;

use discard::{BufferContext, DiscardSpec, early_packet::EarlyPacket};
use kernel::Duration;
use parameters::{
    Amount, Bytes, Parameter, ParameterTable, Path, Problems, Shape, Value, ValueTable, choices,
    parameters, understand, value,
};

choices! {
    /// Order in which inputs are visited within a slot.
    pub enum Order {
        /// A fresh random order each slot.
        random => Random,
        /// Cyclically, from the input after the last served.
        round_robin => RoundRobin,
        /// From the first input on.
        input => Input,
    }
}

parameters! {
    /// An output of a switch.
    ///
    /// It has a clock.
    pub struct Output {
        /// Capacity of the buffer.
        pub buffer: Bytes,
        /// Clock granularity.
        #[range("1 ns", "10 s")]
        pub tick: Duration = "500 ms",
        /// Cells that may enter in a slot.
        #[range(1, 16)]
        pub speedup: u32 = 2,
        /// Weight, if it has one.
        #[range(0.0, 1.0)]
        pub weight: Option<f64>,
        /// Order of the inputs.
        pub order: Order = "random",
        /// Discard policy.
        pub discard: DiscardSpec = default,
        /// Discard policy in an emergency.
        pub emergency: DiscardSpec = { early_packet = { threshold = "90 %" } },
        /// Marks.
        pub marks: Vec<Bytes> = ["1 B", "2 B"],
    }
}

/// Reads `value` as an output, and returns the text of all problems.
fn problems(value: Value) -> String {
    let mut problems = Problems::default();
    let output = Output::read(&value.into(), &Path::root().key("port"), &mut problems);
    assert_eq!(output, None);
    problems.to_string()
}

#[test]
fn unwritten_parameters_take_their_defaults() {
    let output: Output = understand(&value!({ buffer = "64 KiB" })).unwrap();
    assert_eq!(
        output.write().to_string(),
        "{ buffer = \"64 KiB\", tick = \"500 ms\", speedup = 2, order = \"random\", \
         discard = { tail_drop = {} }, \
         emergency = { early_packet = { threshold = \"90 %\", hard = true } }, \
         marks = [\"1 B\", \"2 B\"] }"
    );
    assert_eq!(understand(&output.write()), Ok(output));
}

#[test]
fn every_problem_is_reported_at_once() {
    let value = value!({
        bufer = "64 KiB",
        tick = "20 s",
        speedup = 0,
        weight = 2,
        order = "round-robin",
        discard = { early_paket = {} },
        emergency = { tail_drop = { threshold = "1 %" } },
        marks = ["1 B", 2],
    });
    assert_eq!(
        problems(value),
        "port.bufer: unknown key `bufer`\n  hint: did you mean `buffer`?\n\
         port.tick: `20 s` is out of range\n  hint: `tick` is from `1 ns` to `10 s`\n\
         port.speedup: `0` is out of range\n  hint: `speedup` is from `1` to `16`\n\
         port.weight: `2` is out of range\n  hint: `weight` is from `0.0` to `1.0`\n\
         port.order: `round-robin` is not one of the choices\n  \
         hint: did you mean `\"round_robin\"`? the choices are `random`, `round_robin`, `input`\n\
         port.discard.early_paket: unknown kind `early_paket`\n  \
         hint: did you mean `early_packet`? the kinds are `tail_drop`, `early_packet`\n\
         port.emergency.tail_drop.threshold: unknown key `threshold`\n  hint: there are no parameters here\n\
         port.marks[1]: `2` has no unit\n  \
         hint: write for example `\"2 B\"`; the units are `B`, `kB`, `MB`, `GB`, `TB`, `KiB`, `MiB`, `GiB`, \
         `TiB`"
    );
}

#[test]
fn missing_parameters_are_reported_with_an_example() {
    assert_eq!(
        problems(value!({})),
        "port.buffer: `buffer` is missing\n  hint: write for example `buffer = \"9180 B\"`"
    );
    assert_eq!(
        problems(value!("64 KiB")),
        "port: expected a table of parameters, found `64 KiB`\n  hint: write a table of \
         `buffer`, `tick`, `speedup`, `weight`, `order`, `discard`, `emergency`, `marks`: for example \
         `{ buffer = \"9180 B\" }`"
    );
}

#[test]
fn exactly_one_kind_is_chosen() {
    let discard = |discard: Value| {
        let output = ValueTable::of([("buffer", "1 B".into()), ("discard", discard)]);
        problems(output.into())
    };
    assert_eq!(
        discard(value!({})),
        "port.discard: no kind is given\n  hint: choose one of `tail_drop`, `early_packet`: for \
         example `discard.tail_drop = {}`"
    );
    assert_eq!(
        discard(value!({ tail_drop = {}, early_packet = {} })),
        "port.discard: 2 kinds are given, and only one is allowed: `tail_drop`, `early_packet`\n  \
         hint: keep one of `tail_drop`, `early_packet`"
    );
    assert_eq!(
        discard(value!("early_packet")),
        "port.discard: expected a table that names one kind, found `early_packet`\n  \
         hint: write `discard.early_packet = {}`"
    );
}

#[test]
fn a_family_builds_what_its_members_describe() {
    let context = BufferContext { capacity: 1000 };
    let early: DiscardSpec =
        understand(&value!({ early_packet = { threshold = "30 %" } })).unwrap();
    assert_eq!(early.kind(), "early_packet");
    assert_eq!(early.build(&context).limit(), 300);
    assert_eq!(DiscardSpec::default().build(&context).limit(), 1000);
    assert_eq!(DiscardSpec::kinds(), ["tail_drop", "early_packet"]);
}

#[test]
fn shapes_match_the_statement_of_the_parameters() {
    let fields = Output::fields();
    assert!(fields[0].required && !fields[1].required && !fields[3].required);
    assert_eq!(fields[1].help, "Clock granularity.");
    assert_eq!(fields[1].range, Some((value!("1 ns"), value!("10 s"))));
    assert_eq!(fields[5].default, Some(value!({ tail_drop = {} })));
    assert_eq!(Output::help(), "An output of a switch.\n\nIt has a clock.");
    let Shape::Family(family) = DiscardSpec::shape() else {
        panic!("a registry is a family");
    };
    assert_eq!(family.kinds[1].help, "Refuses early.");
    assert_eq!(family.default, Some("tail_drop"));
    assert_eq!(EarlyPacket::defaults().threshold, Amount::Share(0.5));
}
