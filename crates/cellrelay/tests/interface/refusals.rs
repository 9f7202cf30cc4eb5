//! Errors say where and what to write instead, as on the command line.

use cellrelay::{Error, Loader, Scenario};

use crate::{TWO_SENDERS, two_senders};

#[test]
fn a_mistake_has_a_place_and_a_hint() {
    let text = TWO_SENDERS.replace("count = 2", "cout = 2");
    let told = Scenario::parse(&text).unwrap_err().to_string();
    assert_eq!(
        told,
        "scenario:5:1: host.sender.cout: unknown key `cout`\n  hint: did you mean `count`?"
    );
}

#[test]
fn a_setting_is_named_as_on_the_command_line() {
    let loader = Loader::new().set("host.sender.count", "two");
    let told = loader.text(TWO_SENDERS).unwrap_err().to_string();
    assert!(
        told.starts_with("--set:1:19: host.sender.count: "),
        "{told}"
    );
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let error = Scenario::open("nowhere/scenario.toml").unwrap_err();
    assert!(matches!(error, Error::File { .. }));
    assert_eq!(
        error.to_string(),
        "nowhere/scenario.toml: no such file or directory\n  hint: check the path, and that its \
         folder exists"
    );
}

#[test]
fn a_file_may_name_files_in_its_folder_and_a_text_none() {
    let trace = TWO_SENDERS.replace(
        "source.greedy = { start = { uniform = [\"0 s\", \"10 ms\"] } }",
        "source.trace = { file = \"frames.txt\" }",
    );
    let folder = std::env::temp_dir().join(format!("cellrelay-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("frames.txt"), "0 1000\n0.04 500\n").unwrap();
    std::fs::write(folder.join("scenario.toml"), &trace).unwrap();
    let opened = Scenario::open(folder.join("scenario.toml"));
    let with_folder = Loader::new().folder(&folder).text(&trace);
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(opened.unwrap().key(), with_folder.unwrap().key());
    let told = Scenario::parse(&trace).unwrap_err().to_string();
    assert!(
        told.contains("the scenario has no folder to look in"),
        "{told}"
    );
}

#[test]
fn a_network_may_be_too_large() {
    let loader = Loader::new().most_nodes(3);
    let told = loader.text(TWO_SENDERS).unwrap_err().to_string();
    assert!(told.contains("nodes"), "{told}");
}

#[test]
fn an_unknown_number_is_told_with_a_hint() {
    let report = two_senders().run(1);
    for (name, told) in [
        ("flow file[0] godput", "did you mean `goodput`?"),
        (
            "flow file goodput",
            "write for example `flow file[0] goodput`",
        ),
        ("flow nobody goodput", "`Report::numbers` gives all numbers"),
        ("host a goodput", "write for example `goodput` or"),
    ] {
        let error = report.value(name).unwrap_err().to_string();
        assert!(error.contains(told), "{error}");
    }
    assert!(report.value("flow file[0] goodput").unwrap() > 0.0);
    let whole = report.value("goodput").unwrap();
    let scope = report.scopes().next().unwrap();
    assert_eq!(report.get(scope, "goodput"), Some(whole));
    assert_eq!(report.get(scope, "godput"), None);
}
