//! Tests of the messages about mistakes in scripts, and about ends that violate a script.

use crate::disagreement;

/// The message about a script, after two lines with a rule and its source.
fn said(rest: &str) -> String {
    let text = format!("# A rule.\n# Source: RFC 1, section 2\n{rest}");
    disagreement("x.tcp", &text).unwrap_or_default()
}

/// Checks the messages about single events of one end, in line 4 of the script.
fn check(end: &str, cases: &[(&str, &str)]) {
    for (events, message) in cases {
        let said = said(&format!("--- {end}\n{events}\n"));
        assert_eq!(said, format!("x.tcp:4:{message}"), "{events}");
    }
}

#[test]
fn words_that_mean_nothing_are_refused() {
    check(
        "sender",
        &[
            (
                "0s wirte 100",
                "4: `wirte` is not an event\n  hint: did you mean `write`?",
            ),
            (
                "0s hop",
                "4: `hop` is not an event\n  hint: expected one of `write`, `push`, `<`, `>`, `nothing`, `cwnd`, \
                 `ssthresh`, `srtt`, `rto`, `timer`, `timeouts`, `fast_retransmits`, \
                 `spurious_retransmits`, `given_up`",
            ),
            (
                "0s < data",
                "6: `data` is not a segment\n  hint: segments are `0:1000`, `ack 1000` and `syn`",
            ),
            ("nothing more", "9: `more` is one word too many"),
            (
                "0s write 1000 mroe",
                "15: `mroe` is not what follows a write\n  hint: did you mean `more`?",
            ),
            (
                "0s > 0:1000 window 10",
                "20: only an acknowledgment or a SYN states a window\n  hint: write for example \
                 `ack 1000 window 3000`",
            ),
            ("0s < ack 1000 window", "21: octets is missing"),
            (
                "0s < ack 1000 window 2_000_000_000",
                "22: a window of `2000000000` octets is too large\n  hint: write at most \
                 `1073741824`: RFC 7323, section 2.3",
            ),
            (
                "< ack 1000 sack",
                "12: no block follows `sack`\n  hint: write `2000:3000`",
            ),
        ],
    );
}

#[test]
fn numbers_and_times_are_checked() {
    check(
        "sender",
        &[
            ("0s write", "9: octets is missing"),
            (
                "0s write 1e3",
                "10: `1e3` is not a whole number\n  hint: write it as `1000` or `64_000`",
            ),
            (
                "1 write 10",
                "1: `1` is not a time\n  hint: write it as `1.5s`, `200ms` or `10us`",
            ),
            ("0s rto", "7: a time is missing"),
            (
                "0s rto 1000",
                "8: `1000` is not a time\n  hint: write it as `1.5s`, `200ms` or `10us`",
            ),
            (
                "0s > 1000:1000",
                "6: `1000:1000` is empty\n  hint: write the first octet, and the one after the last",
            ),
            (
                "0s > 0:4000 by 0",
                "16: `4000` octets cannot be cut into segments of `0`",
            ),
            (
                "< ack 1 sack 2:3 4:5 6:7 8:9 10:11",
                "30: an acknowledgment holds at most four blocks",
            ),
        ],
    );
}

#[test]
fn time_does_not_go_back() {
    assert_eq!(
        said("--- sender\n1s write 10\n > 0:10\n0.5s nothing\n"),
        "x.tcp:6:1: `0.5s` is earlier than the line before\n  hint: write the lines in order of time"
    );
}

#[test]
fn each_end_has_its_own_events() {
    check(
        "sender",
        &[
            (
                "read 10",
                "1: a sender has no `read`\n  hint: the line `---` says which end is tested",
            ),
            (
                "received 10",
                "1: a sender has no `received`\n  hint: the line `---` says which end is tested",
            ),
            (
                "< 0:1000",
                "3: data does not arrive at a sender\n  hint: write `< ack 1000`, or test the receiver",
            ),
        ],
    );
    check(
        "receiver",
        &[
            (
                "push",
                "1: a receiver has no `push`\n  hint: the line `---` says which end is tested",
            ),
            (
                "write 10",
                "1: a receiver has no `write`\n  hint: the line `---` says which end is tested",
            ),
            (
                "> 0:1000",
                "3: a receiver sends no data\n  hint: write `> ack 1000`, or test the sender",
            ),
        ],
    );
}

#[test]
fn a_script_needs_its_parts() {
    assert_eq!(
        disagreement("x.tcp", "--- sender\n").as_deref(),
        Some(
            "x.tcp:1:1: a script begins with its rule and its source, as comments\n  \
             hint: write `# ` and the rule, then `# Source: ` and where it is written"
        )
    );
    assert_eq!(
        said("nagle = true\n"),
        "x.tcp:4:1: no line divides parameters from events\n  \
         hint: write `--- sender` or `--- receiver` above the events"
    );
    assert_eq!(
        said("--- switch\n"),
        "x.tcp:3:1: `switch` is not an end of a connection\n  \
         hint: write `--- sender` or `--- receiver`"
    );
}

#[test]
fn parameters_are_checked_as_in_a_scenario() {
    assert_eq!(
        said("initial_window = 0\nnaggle = true\n--- sender\n0s nothing\n"),
        "x.tcp:3:18: initial_window: `0` is out of range\n  hint: `initial_window` is from `1` to `1000`\n\
         x.tcp:4:1: naggle: unknown key `naggle`\n  hint: did you mean `nagle`?"
    );
}

#[test]
fn several_mistakes_are_told_together() {
    let said = said("--- sender\n0s write ten\n1s wait\n");
    assert_eq!(said.matches("x.tcp:").count(), 2, "{said}");
}

/// A script for a sender of two segments, whose last line the sender violates.
fn failed(line: &str) -> String {
    let said = said(&format!(
        "initial_window = 2\n--- sender\n0s write 2000\n > 0:2000 by 1000\n{line}\n"
    ));
    let story =
        "\n  after\n            0s write 2000\n            0s > 0:1000\n            0s > 1000:2000";
    let what = said.split_once(story).unwrap_or_else(|| panic!("{said}"));
    what.0.to_string()
}

#[test]
fn a_failure_tells_what_was_expected_and_what_was_seen() {
    let cases = [
        (
            "0.5s > 0:1000",
            "  expected  0.5s > 0:1000\n  seen      nothing, and the next timer expires at 1s",
        ),
        (
            "1.5s > 0:1000",
            "  expected  1.5s > 0:1000\n  seen      1s > 0:1000",
        ),
        (
            "1s > 1000:2000",
            "  expected  1s > 1000:2000\n  seen      1s > 0:1000",
        ),
        (
            "1s > 0:1000 octets 1000",
            "  expected  1s > 0:1000 octets 1000\n  seen      1s > 0:1000 octets 1040",
        ),
        (
            "1s nothing",
            "  expected  nothing more is sent before this line\n  seen      1s > 0:1000",
        ),
        (
            "2s < ack 1000",
            "  expected  nothing more is sent before this line\n  seen      1s > 0:1000",
        ),
        (
            "0.9s cwnd 1000",
            "  expected  0.9s cwnd 1000\n  seen      0.9s cwnd 2000",
        ),
        (
            "timer off",
            "  expected  0s timer off\n  seen      0s timer 1s",
        ),
        (
            "timer 2s~0.5s",
            "  expected  0s timer 2s~0.5s\n  seen      0s timer 1s",
        ),
    ];
    for (line, message) in cases {
        assert_eq!(failed(line), format!("x.tcp:7: {line}\n{message}"));
    }
}

#[test]
fn only_the_last_of_several_may_be_answered() {
    let said = said("--- receiver\n0s < 0:2000 by 1000\n");
    assert!(
        said.starts_with(
            "x.tcp:4: 0s < 0:2000 by 1000\n  \
             expected  nothing more is sent before this line\n  seen      0s > ack 1000"
        ),
        "{said}"
    );
}

#[test]
fn what_is_sent_at_the_end_must_be_expected() {
    let said = said("--- sender\n0s write 1000\n");
    assert!(
        said.starts_with(
            "x.tcp:4: 0s write 1000\n  expected  the end of the script\n  seen      0s > 0:1000"
        ),
        "{said}"
    );
}

#[test]
fn tolerances_are_as_wide_as_they_say() {
    let script = |time: &str| {
        said(&format!(
            "--- sender\n0s write 1000\n > 0:1000\n{time} > 0:1000\n"
        ))
    };
    assert_eq!(script("0.9s~100ms"), "");
    assert_eq!(script("1.1s~100ms"), "");
    assert_ne!(script("0.9s~99ms"), "");
    assert_ne!(script("1.1s~99ms"), "");
}

#[test]
fn packets_of_xtp_have_words_of_their_own() {
    let cases = [
        (
            "--- sender\n0s < ack 1000",
            "4:6: `ack` is not a packet\n  hint: packets are `0:1000 sreq 1`, `cntl 1000 echo 1` and \
             `ecntl 1000 echo 1`",
        ),
        (
            "--- sender\n0s cwnd 1000",
            "4:4: `cwnd` is not an event\n  hint: expected one of `write`, `<`, `>`, `nothing`, `buffered`, \
             `credit`, `srtt`, `wtimer`, `timer`, `timeouts`, `fast_retransmits`",
        ),
        (
            "--- sender\n0s write 1000 end",
            "4:15: XTP ends no messages, and holds no data back\n  hint: write only the number of \
             octets",
        ),
        (
            "--- sender\n0s push",
            "4:4: `push` is not an event\n  hint: expected one of `write`, `<`, `>`, `nothing`, \
             `buffered`, `credit`, `srtt`, `wtimer`, `timer`, `timeouts`, `fast_retransmits`",
        ),
        (
            "--- sender\n0s > 0:1000 sreq",
            "4:17: the number of a request is missing",
        ),
        (
            "--- sender\n0s < 0:1000 sreq 1",
            "4:6: data does not arrive at a sender\n  hint: write `< cntl 1000 echo 1`, or test the \
             receiver",
        ),
        (
            "--- receiver\n0s > ecntl 0 echo 1 spans 1:2 3:4 5:6 7:8",
            "4:39: a packet holds at most three spans",
        ),
        (
            "request_interval = 50\n--- sender",
            "3:20: request_interval: an output buffer of `48` packets is full before the first \
             request\n  hint: make `buffer` at least as large as `request_interval`",
        ),
    ];
    for (rest, message) in cases {
        let text = format!("# A rule.\n# Source: RFC 1, section 2\n{rest}\n");
        let said = disagreement("x.xtp", &text).unwrap_or_default();
        assert_eq!(said, format!("x.xtp:{message}"), "{rest}");
    }
}
