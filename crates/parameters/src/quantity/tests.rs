//! Tests of accepted and refused texts; every written form reads back as an equal value.

use kernel::{Duration, Rate};
use proptest::prelude::*;

use super::*;
use crate::{understand, value};

/// `text` is accepted, and written as `normal`.
fn check<Q: Quantity>(text: &str, normal: &str) {
    match parse::<Q>(text) {
        Ok(quantity) => assert_eq!(quantity.render(), normal, "{text}"),
        Err(fault) => panic!("{text}: {}", fault.problem),
    }
}

/// `text` is refused with this problem and hint.
fn check_fault<Q: Quantity + std::fmt::Debug>(text: &str, problem: &str, hint: &str) {
    let fault = parse::<Q>(text).unwrap_err();
    assert_eq!(
        (fault.problem.as_str(), fault.hint().as_str()),
        (problem, hint),
        "{text}"
    );
}

#[test]
fn durations_are_exact_and_normalised() {
    assert_eq!(parse::<Duration>("0.1 s").unwrap().ps(), 100_000_000_000);
    check::<Duration>("0.1 s", "100 ms");
    check::<Duration>("1500us", "1.5 ms");
    check::<Duration>("3 \u{b5}s", "3 us");
    check::<Duration>("3 \u{3bc}s", "3 us");
    check::<Duration>("2 min", "120 s");
    check::<Duration>("0 ms", "0 s");
    check::<Duration>("1e-3 s", "1 ms");
    check::<Duration>("1000 h", "3600000 s");
    check::<Duration>("0.3333333333333 ms", "333.333333 us");
}

#[test]
fn a_distance_is_the_time_light_takes_for_it_in_glass() {
    check::<Propagation>("1000 km", "5 ms");
    check::<Propagation>("200 m", "1 us");
}

#[test]
fn rates_are_exact_and_normalised() {
    check::<Rate>("141.333 Mbit/s", "141.333 Mbit/s");
    check::<Rate>("141333 kbps", "141.333 Mbit/s");
    check::<Rate>("0.622Gb/s", "622 Mbit/s");
    check::<Rate>("353208 cells/s", "149.760192 Mbit/s");
}

#[test]
fn a_rate_in_cells_is_told_from_other_texts() {
    let bits = |text| in_cells(text).map(Rate::bits_per_second);
    assert_eq!(bits("1000 cells/s"), Some(424_000));
    for other in ["424 kbit/s", "1000 cells", "0 cells/s", "cells/s", ""] {
        assert_eq!(bits(other), None, "{other}");
    }
}

#[test]
fn sizes_know_kilobytes_from_kibibytes() {
    assert_eq!(parse::<Bytes>("64 kB"), Ok(Bytes(64_000)));
    assert_eq!(parse::<Bytes>("64 KiB"), Ok(Bytes(65_536)));
    check::<Bytes>("9180 B", "9180 B");
    check::<Bytes>("1.5 MiB", "1536 KiB");
    check::<CellCount>("1 cells", "1 cell");
    check::<BufferSize>("1000 cells", "1000 cells");
    check::<BufferSize>("64 KiB", "64 KiB");
    check::<BufferLimit>("64 KiB", "64 KiB");
    check::<BufferLimit>("100 packets", "100 packets");
    check::<BufferLimit>("1 packets", "1 packet");
    check::<Amount>("500 cells", "500 cells");
    check::<Amount>("64 KiB", "64 KiB");
    check::<Amount>("50%", "50 %");
}

#[test]
fn percentages_are_shares_of_one() {
    assert_eq!(parse::<Fraction>("0.5 %"), Ok(Fraction(0.005)));
    for text in ["0 %", "0.1 %", "7 %", "29 %", "33.333 %", "100 %"] {
        check::<Fraction>(text, text);
    }
}

#[test]
fn a_number_without_unit_gets_a_hint_with_the_units() {
    check_fault::<CellCount>(
        "600",
        "`600` has no unit",
        "write for example `\"600 cells\"`; the unit is `cells`",
    );
    let problems = understand::<CellCount>(&value!(600)).unwrap_err();
    assert!(
        problems
            .to_string()
            .starts_with("`600` has no unit\n  hint: write for example")
    );
}

#[test]
fn the_unit_that_was_meant_is_offered() {
    for (text, meant) in [
        ("10 mbit/s", "Mbit/s"),
        ("10 Mbits", "Mbit/s"),
        ("1 cell/s", "cells/s"),
        ("10 Mbit", "Mbit/s"),
    ] {
        let hint = parse::<Rate>(text).unwrap_err().hint();
        assert!(
            hint.starts_with(&format!("did you mean `{meant}`?")),
            "{text}: {hint}"
        );
    }
    for (text, meant) in [
        ("15 sec", "s"),
        ("2 minutes", "min"),
        ("3 msec", "ms"),
        ("1 H", "h"),
    ] {
        let hint = parse::<Duration>(text).unwrap_err().hint();
        assert!(
            hint.starts_with(&format!("did you mean `{meant}`?")),
            "{text}: {hint}"
        );
    }
    assert!(
        parse::<Rate>("17 MB/s")
            .unwrap_err()
            .hint()
            .starts_with("write for example")
    );
    assert!(
        parse::<Rate>("141,3 Mbit/s")
            .unwrap_err()
            .hint()
            .contains("with a point")
    );
    let fault = parse::<Rate>("5 ms").unwrap_err();
    assert_eq!(fault.problem, "`5 ms` is not a rate: unknown unit `ms`");
}

#[test]
fn impossible_values_are_refused() {
    check_fault::<Duration>(
        "-5 ms",
        "`-5 ms` is negative",
        "write for example `\"5 ms\"`",
    );
    check_fault::<Duration>("1e30 s", "`1e30 s` is too large", "the maximum is `1000 h`");
    check_fault::<Duration>(
        "0.1 ps",
        "`0.1 ps` is too small and rounds to zero",
        "write at least `\"1 ps\"`",
    );
    check_fault::<Rate>(
        "0 bit/s",
        "`0 bit/s` must be greater than zero",
        "write for example `\"155.52 Mbit/s\"`",
    );
    check_fault::<BufferSize>(
        "0 cells",
        "`0 cells` must be greater than zero",
        "write for example `\"1000 cells\"`",
    );
    check_fault::<CellCount>(
        "1.5 cells",
        "`1.5 cells` is not a whole number of cells",
        "write a whole number of cells, for example `\"2 cells\"`",
    );
    check_fault::<Fraction>(
        "120 %",
        "`120 %` exceeds `100 %`",
        "a percentage is from `0 %` to `100 %`",
    );
    check_fault::<Duration>(
        "nan s",
        "`nan s` is not a duration",
        "write a number with a unit, for example `\"5 ms\"`",
    );
    for text in [
        "",
        " ",
        "%",
        "1e99999999999 %",
        "5 ms 3",
        "0x10 ms",
        "1_000 ms",
        "1,5 ms",
        "\u{0}",
    ] {
        assert!(parse::<Duration>(text).is_err(), "{text}");
        assert!(parse::<Fraction>(text).is_err(), "{text}");
    }
}

#[test]
fn a_row_of_quantities_is_added_up() {
    for (text, sum) in [
        ("1 min 5 s", "65 s"),
        ("1 s 5 ms", "1005 ms"),
        ("1h 30min", "90 min"),
    ] {
        let fault = parse::<Duration>(text).unwrap_err();
        assert_eq!(
            fault.hint(),
            format!("write one number, for example `\"{sum}\"`")
        );
    }
    let mixed = parse::<BufferSize>("1 cell 5 B").unwrap_err();
    assert!(!mixed.hint().contains("one number"), "{}", mixed.hint());
}

#[test]
fn a_metre_is_no_time_but_a_delay() {
    let fault = parse::<Duration>("15 m").unwrap_err();
    let hint = "did you mean `ms` or `min`? the units are";
    assert!(fault.hint().starts_with(hint), "{}", fault.hint());
    check::<Propagation>("15 m", "75 ns");
}

#[test]
fn a_fraction_is_translated_to_percent() {
    for (text, unit, percent) in [("1/16", "/16", "6.25 %"), ("3 / 4", "/ 4", "75 %")] {
        let problem = format!("`{text}` is not a percentage: unknown unit `{unit}`");
        let hint = format!("write `\"{percent}\"`, the fraction in percent");
        check_fault::<Fraction>(text, &problem, &hint);
    }
    for text in ["3/2", "1/0", "1/x"] {
        let problem = format!(
            "`{text}` is not a percentage: unknown unit `{}`",
            &text[text.len() - 2..]
        );
        check_fault::<Fraction>(
            text,
            &problem,
            "write for example `\"50 %\"`; the unit is `%`",
        );
    }
}

proptest! {
    #[test]
    fn durations_read_back(ps in 0..=3_600_000_000_000_000_000u64) {
        let duration = Duration::from_ps(ps);
        prop_assert_eq!(parse::<Duration>(&duration.render()), Ok(duration));
    }

    #[test]
    fn rates_read_back(bits in 1..=1_000_000_000_000u64) {
        let rate = Rate::from_bits_per_second(bits);
        prop_assert_eq!(parse::<Rate>(&rate.render()), Ok(rate));
    }

    #[test]
    fn sizes_read_back(size in 1..=1u64 << 49) {
        prop_assert_eq!(parse::<Bytes>(&Bytes(size).render()), Ok(Bytes(size)));
        prop_assert_eq!(parse::<CellCount>(&CellCount(size).render()), Ok(CellCount(size)));
        let buffer = BufferSize::Bytes(size);
        prop_assert_eq!(parse::<BufferSize>(&buffer.render()), Ok(buffer));
    }

    #[test]
    fn shares_read_back_bit_for_bit(share in 0.0..=1.0f64) {
        prop_assert_eq!(parse::<Fraction>(&Fraction(share).render()), Ok(Fraction(share)));
        prop_assert_eq!(parse::<Amount>(&Amount::Share(share).render()), Ok(Amount::Share(share)));
    }

    #[test]
    fn any_text_is_understood_or_refused(text in ".{0,40}") {
        let _ = parse::<Duration>(&text);
        let _ = parse::<Amount>(&text);
    }

    #[test]
    fn any_number_with_a_unit_is_understood_or_refused(
        text in "-?[0-9]{0,25}\\.?[0-9]{0,25}(e-?[0-9]{1,25})? ?(ps|h|km|Tbit/s|cells/s|GiB|%)"
    ) {
        let _ = parse::<Duration>(&text);
        let _ = parse::<Rate>(&text);
        let _ = parse::<Amount>(&text);
    }
}
