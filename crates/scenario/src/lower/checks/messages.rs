//! Checks of messages: their transport must keep their lengths, and their times must be
//! representable.

use kernel::Duration;
use models::flow::FlowSpec;
use models::traffic::{PacketSizes, SHORTEST_GAP, Spacing};
use models::wire::format::CellFormat;
use parameters::{Path, Problem, Problems};

/// Reports lengths and times of messages that cannot be simulated.
pub fn check(flow: &FlowSpec, format: CellFormat, at: &Path, problems: &mut Problems) {
    let at = at.key("source").key(flow.source.kind());
    let before = problems.len();
    let packets = flow.packets(format);
    lengths(flow, &packets, &at, problems);
    if let Some(spacing) = flow.source.spacing(&packets)
        && problems.len() == before
    {
        spaced(spacing, &at, problems);
    }
}

/// Reports lengths in cells where packets are not segmented into cells.
fn lengths(flow: &FlowSpec, packets: &PacketSizes, at: &Path, problems: &mut Problems) {
    let Some((key, lengths)) = flow.source.lengths().filter(|(_, one)| one.is_in_cells()) else {
        return;
    };
    let (problem, hint) = if packets.cells.is_none() {
        let problem = format!("`over.{}` has no cells", flow.over.kind());
        (
            problem,
            "write lengths in bytes, or carry the flow `over.ubr`".to_string(),
        )
    } else if !flow.transport.facts().keeps_messages {
        let problem = format!(
            "`{}` joins messages, so their lengths in cells are not defined",
            flow.transport.kind()
        );
        let hint = if flow.source.takes_turns() || flow.source.connections().is_some() {
            "write lengths in bytes"
        } else {
            "write lengths in bytes, or send them by `transport.datagram`"
        };
        (problem, hint.to_string())
    } else if let Some(cells) = lengths.without_room(packets) {
        let added = packets.added;
        let problem = format!(
            "a message of {cells} {} has no space for data beside headers of `{added} B`",
            if cells == 1 { "cell" } else { "cells" }
        );
        (
            problem,
            "write for example `transport.datagram.header = \"0 B\"`".to_string(),
        )
    } else {
        return;
    };
    let at = at.key(key).key(lengths.kind());
    problems.add(Problem::new(&at, None, problem).hint(hint));
}

/// Reports messages with a gap too short to simulate, or with a rate that cannot be computed.
fn spaced(spacing: Spacing, at: &Path, problems: &mut Problems) {
    let at = at.key(spacing.parameter);
    let Some(gap) = spacing.seconds else {
        let (problem, hint) = if spacing.parameter == "load" {
            (
                "the load of random lengths in bytes depends on packet boundaries",
                "write the lengths in cells, or `rate` for user data",
            )
        } else {
            (
                "`rate` counts user data, and the lengths are in cells",
                "write lengths in bytes, or state the `load`, which counts headers and padding too",
            )
        };
        problems.add(Problem::new(&at, None, problem).hint(hint));
        return;
    };
    too_close("messages", gap, &at, problems);
}

/// Reports packets or messages with an interval too short to be simulated.
pub fn too_close(what: &str, gap: f64, at: &Path, problems: &mut Problems) {
    if gap < SHORTEST_GAP.seconds() {
        let problem = format!("{what} come `{}` apart", Duration::from_seconds_f64(gap));
        let hint = format!("send larger {what} or fewer: `{SHORTEST_GAP}` is the shortest gap");
        problems.add(Problem::new(at, None, problem).hint(hint));
    }
}
