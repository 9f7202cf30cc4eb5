"""Captures: what Wireshark makes of them, and where they are."""

from __future__ import annotations

import subprocess
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

import cellrelay
from cellrelay.cli import main
from cellrelay.cli.exits import BAD_INPUT, DONE
from cellrelay.results import Results
from cellrelay.store import Store

from .debian import require
from .scenarios import PORT, SWEEP

LINE = """\
title = "One connection through one switch"
duration = "0.4 s"

[host.a]
[host.b]

[switch.s]
buffer.per_output = "1000 cells"

[link.in]
between = ["a", "s"]
rate = "155.52 Mbit/s"
delay = "1 ms"

[link.out]
between = ["s", "b"]
rate = "100 Mbit/s"
delay = "1 ms"

[flow.f]
from = "a"
to = "b"
transport.tcp = { packet = "1500 B", timers.bsd = { tick = "1 ms" } }
"""

CHECKED = ["-o", "tcp.check_checksum:TRUE", "-o", "ip.check_checksum:TRUE"]
HEADERS_AND_DATA = 65_535
STAMPS = ("tcp.options.timestamp.tsval", "tcp.options.timestamp.tsecr")


class Traced(NamedTuple):
    results: Results
    folder: Path

    def metric(self, name: str, scope: str = "flow f") -> float:
        return self.results.estimate(name, scope).mean

    @property
    def resent(self) -> int:
        """Packets sent again."""
        ratio = self.metric("retransmission_ratio")
        return round(self.metric("packets_sent") * ratio / (1 + ratio))


def trace(folder: Path, settings: dict[str, str], scenario: str = LINE) -> Traced:
    """One run, with every octet of its packets."""
    read = cellrelay.parse(scenario, "line.toml", settings)
    results = cellrelay.run(read, replications=1, captures=folder, snaplen=HEADERS_AND_DATA)
    return Traced(results, folder / "replication-0")


def tshark(file: Path, *arguments: str) -> list[str]:
    """What tshark prints of a file, line by line."""
    require("tshark", package="tshark")
    command = ["tshark", *CHECKED, "-r", str(file), *arguments]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return done.stdout.splitlines()


def fields(file: Path, *names: str, only: str = "") -> list[tuple[str, ...]]:
    """Fields of the packets of a file, of those only for which a filter holds."""
    wanted = [argument for name in names for argument in ("-e", name)]
    lines = tshark(file, *(["-Y", only] if only else []), "-T", "fields", *wanted)
    return [tuple(line.split("\t")) for line in lines]


def count(file: Path, only: str) -> int:
    return len(fields(file, "frame.number", only=only))


def forced(congestion: str, **settings: str) -> dict[str, str]:
    """Four losses, one of them alone and two of them side by side."""
    tcp = "flow.f.transport.tcp"
    chosen = {f"{tcp}.{name}": value for name, value in settings.items()}
    loss = {"link.out.loss.nth": "[14, 28, 100, 101]"}
    return loss | {f"{tcp}.congestion.{congestion}": "{}"} | chosen


@pytest.mark.parametrize("over", ["ubr", "packet"])
@pytest.mark.parametrize("congestion", ["tahoe_gbn", "tahoe_bsd", "reno"])
def test_wireshark_counts_the_retransmissions_that_there_were(
    tmp_path: Path, congestion: str, over: str
) -> None:
    traced = trace(tmp_path, forced(congestion) | {f"flow.f.over.{over}": "{}"})
    file = traced.folder / "host-a.pcapng"
    assert traced.resent >= 4
    assert count(file, "tcp.analysis.retransmission") == traced.resent
    fast = traced.metric("fast_retransmits")
    assert count(file, "tcp.analysis.fast_retransmission") == fast > 0
    assert count(file, "tcp.analysis.out_of_order") == 0


@pytest.mark.parametrize("handshake", ["false", "true"])
@pytest.mark.parametrize("congestion", ["new_reno", "sack", "cubic"])
def test_what_follows_new_data_within_a_round_trip_is_taken_for_out_of_order(
    tmp_path: Path, congestion: str, handshake: str
) -> None:
    traced = trace(tmp_path, forced(congestion, handshake=handshake))
    file = traced.folder / "host-a.pcapng"
    either = "tcp.analysis.retransmission || tcp.analysis.out_of_order"
    assert count(file, either) == traced.resent >= 4


@pytest.mark.parametrize("header", ["0 B", "40 B", "60 B"])
@pytest.mark.parametrize("over", ["ubr = {}", 'ubr.encapsulation = "8 B"', "packet = {}"])
def test_every_packet_is_well_formed(tmp_path: Path, over: str, header: str) -> None:
    scenario = f"{LINE}over.{over}\n"
    # A SYN is only a header.
    handshake = "false" if header == "0 B" else "true"
    settings = forced("sack", handshake=handshake, header=f"'{header}'")
    settings |= {"switch.s.buffer.per_output": "60 cells"}
    folder = trace(tmp_path, settings, scenario).folder
    files = sorted(folder.iterdir())
    assert [file.name for file in files] == [
        "host-a.pcapng",
        "host-b.pcapng",
        "port-s-a.pcapng",
        "port-s-b.pcapng",
    ]
    for file in files:
        packets = fields(file, "tcp.checksum.status", "ip.checksum.status", only="ip")
        assert set(packets) == {("1", "1")}
        assert len(packets) > 100
        assert count(file, "_ws.malformed || _ws.expert.severity == error") == 0


def test_selective_acknowledgments_windows_and_opening_are_understood(tmp_path: Path) -> None:
    settings = forced("sack", handshake="true", window="'1 MiB'")
    file = trace(tmp_path, settings).folder / "host-a.pcapng"
    opening = fields(
        file,
        "tcp.options.mss_val",
        "tcp.options.wscale.shift",
        "tcp.window_size",
        only="tcp.flags.syn == 1 && tcp.options.sack_perm",
    )
    assert opening == [("1460", "5", "65535"), ("1460", "5", "65535")]
    windows = fields(file, "tcp.window_size", only="tcp.flags.syn == 0")
    assert set(windows) == {("1048576",)}
    blocks = fields(file, "tcp.ack", "tcp.options.sack_le", only="tcp.options.sack_le")
    assert len(blocks) > 10
    lowest = [(int(ack), min(map(int, edges.split(",")))) for ack, edges in blocks]
    assert all(ack < edge for ack, edge in lowest)
    assert count(file, "tcp.analysis.duplicate_ack") > 10


def test_time_stamps_are_those_that_were_sent(tmp_path: Path) -> None:
    settings = forced("sack", handshake="true", timestamps="'rfc1323'")
    traced = trace(tmp_path, settings)
    file = traced.folder / "host-a.pcapng"
    assert traced.resent >= 4
    assert count(file, "tcp") == count(file, "tcp.options.timestamp.tsval") > 100
    names = ("tcp.srcport", "frame.time_epoch", "ip.len", *STAMPS)
    packets = fields(file, *names)
    data = [packet for packet in packets if packet[0] == "49152"]
    answers = [packet for packet in packets if packet[0] != "49152"]
    sent = {int(stamp) for *_, stamp, _ in data}
    for _, at, _, stamp, echo in answers:
        assert int(echo) in sent
        # One way takes 1 ms on each of two links.
        assert int(echo) + 1 < int(stamp) < 1000 * float(at) - 1
    # The option is part of a full packet, and is added to an acknowledgment.
    assert {int(octets) for _, _, octets, *_ in data[1:]} == {1500}
    assert min(int(octets) for _, _, octets, *_ in answers[1:]) == 52


@pytest.mark.parametrize(
    ("encapsulation", "layers"), [("0 B", "atm:ip:tcp"), ("8 B", "atm:llc:ip:tcp")]
)
def test_ports_of_a_switch_show_virtual_channels(
    tmp_path: Path, encapsulation: str, layers: str
) -> None:
    settings = {"flow.bulk.over.ubr.encapsulation": encapsulation, "duration": "0.3 s"}
    folder = trace(tmp_path, settings, PORT).folder
    file = folder / "port-s1-receiver.pcapng"
    packets = fields(file, "frame.protocols", "atm.vpi", "atm.vci", "ip.src")
    assert len(packets) > 2000
    seen = Counter((tuple(place), layers in protocols) for protocols, *place in packets)
    assert set(seen) == {(("0", "32", "10.0.0.1"), True), (("0", "33", "10.0.0.2"), True)}


@pytest.mark.parametrize("encapsulation", ["0 B", "8 B"])
def test_what_a_switch_damaged_is_marked_and_is_no_datagram(
    tmp_path: Path, encapsulation: str
) -> None:
    settings = forced("sack") | {
        "switch.s.buffer.per_output": "60 cells",
        "flow.f.over.ubr.encapsulation": encapsulation,
    }
    traced = trace(tmp_path, settings)
    file = traced.folder / "port-s-b.pcapng"
    failing = "frame.packet_flags_crc_error == 1"
    names = ("frame.time_epoch", "frame.protocols", "frame.comment", "atm.vci")
    damaged = fields(file, *names, only=failing)
    # What leaves within the last millisecond has not arrived at the end.
    arrived = [sent for sent, *_ in damaged if float(sent) < 0.399]
    assert len(arrived) == traced.metric("packets_damaged") > 10
    assert all("ip" not in protocols.split(":") for _, protocols, *_ in damaged)
    assert all(comment.startswith("damaged: ") for *_, comment, _ in damaged)
    assert {vci for *_, vci in damaged} == {"32"}


@pytest.mark.parametrize("retransmission", ["selective", "go_back_n"])
def test_xtp_is_understood(tmp_path: Path, retransmission: str) -> None:
    kept = f"retransmission.{retransmission} = {{}}"
    xtp = f'{{ xtp = {{ rate = "30 Mbit/s", buffer = 20, {kept} }} }}'
    settings = {"flow.f.transport": xtp, "link.out.loss.nth": "[14, 28, 100, 101]"}
    traced = trace(tmp_path, settings)
    file = traced.folder / "host-a.pcapng"
    checksums = fields(file, "xtp.checksum.status", "ip.checksum.status", only="ip")
    assert set(checksums) == {("1", "1")}
    assert count(file, "_ws.malformed || _ws.expert.severity == error") == 0
    assert count(file, "xtp.cmd.ptype.pformat == 0") == traced.metric("packets_sent") > 800
    # Each packet asks, and is answered as long as it arrives.
    requests = fields(file, "xtp.sync", only="xtp.cmd.options.sreq == 1")
    assert [int(sync) for (sync,) in requests] == list(range(1, len(requests) + 1))
    echoes = [
        int(echo)
        for kind in ("cntl", "ecntl")
        for (echo,) in fields(file, f"xtp.{kind}.echo", only=f"xtp.{kind}.echo")
    ]
    assert len(requests) - 40 < len(set(echoes)) <= len(requests)
    spans = fields(file, "xtp.ecntl.nspan", only="xtp.ecntl.nspan")
    assert {int(number) > 0 for (number,) in spans} == {retransmission == "selective"}
    sequences = [int(seq) for (seq,) in fields(file, "xtp.seq", only="xtp.cmd.ptype.pformat == 0")]
    assert len(sequences) - len(set(sequences)) == traced.resent >= 4


def test_a_file_says_where_it_comes_from(tmp_path: Path) -> None:
    results = cellrelay.run(
        cellrelay.parse(SWEEP, "sweep.toml", {"flow.bulk.transport.tcp.header": "0 B"}),
        replications=2,
        captures=tmp_path,
    )
    folders = {f"point-{point}-replication-{number}" for point in range(4) for number in (0, 1)}
    assert {folder.name for folder in tmp_path.iterdir()} == folders
    file = tmp_path / "point-2-replication-1" / "host-sender-1.pcapng"
    head = file.read_bytes()[:800].decode(errors="ignore")
    assert "Two connections through one port\n" in head
    assert "sweep.toml: switch.s1.buffer.per_output = 500 cells, flow.bulk" in head
    made = results.provenance
    known = f", commit {made.commit}" if made.commit else ""
    assert f"model {made.model}{known}\n" in head
    assert "sender[1]: seed 1, replication 1" in head
    assert "flow bulk: headers of 0 B in the model are shown with the 40 B of IPv4 and TCP" in head


def test_captures_change_nothing_and_do_not_depend_on_workers(tmp_path: Path) -> None:
    scenario = cellrelay.parse(SWEEP, "sweep.toml")
    plain = cellrelay.run(scenario, store=tmp_path / "store.sqlite")
    # The store knows every run, and each is made all the same.
    for jobs in (1, 3):
        folder = tmp_path / f"{jobs}"
        traced = cellrelay.run(
            scenario, store=tmp_path / "store.sqlite", captures=folder, jobs=jobs
        )
        digests = [[run.digest for run in point.runs] for point in traced.points]
        assert digests == [[run.digest for run in point.runs] for point in plain.points]
    ones, threes = (
        {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.pcapng")}
        for folder in (tmp_path / "1", tmp_path / "3")
    )
    assert ones == threes
    assert len(ones) == 4 * 2 * (3 + 3)


def test_the_command_writes_captures_beside_the_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("port.toml").write_text(PORT, encoding="utf-8")
    arguments = ["run", "port.toml", "--out", "out", "--trace", "pcap"]
    assert main(arguments) == DONE
    assert "captures in out/captures\n" in capsys.readouterr().err
    assert {path.name for path in Path("out/captures").iterdir()} == {
        "replication-0",
        "replication-1",
    }
    # What is no longer a part of the results goes; what is not ours stays.
    Path("out/captures/replication-1/notes.txt").touch()
    assert main([*arguments, "--replications", "1", "--snaplen", "20"]) == DONE
    assert [path.name for path in Path("out/captures/replication-1").iterdir()] == ["notes.txt"]
    kept = Path("out/captures/replication-0/host-receiver.pcapng").stat().st_size
    assert main([*arguments, "--replications", "1"]) == DONE
    assert Path("out/captures/replication-0/host-receiver.pcapng").stat().st_size > kept


def test_what_cannot_be_written_ends_the_experiment(tmp_path: Path) -> None:
    store, folder = tmp_path / "store.sqlite", tmp_path / "captures"
    # A folder stands where a file of the last point should be.
    (folder / "point-3-replication-0" / "host-receiver.pcapng" / "full").mkdir(parents=True)
    scenario = cellrelay.parse(SWEEP, "sweep.toml")
    with pytest.raises(OSError, match="host-receiver"):
        cellrelay.run(scenario, store=store, captures=folder, jobs=1, replications=1)
    with Store(store) as known:
        assert known.contents() == (3, 0, 3)


def test_snaplen_without_captures_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("port.toml").write_text(PORT, encoding="utf-8")
    assert main(["run", "port.toml", "--snaplen", "100"]) == BAD_INPUT
    assert "hint: add `--trace pcap`" in capsys.readouterr().err
    assert not Path("results").exists()


@pytest.mark.parametrize("snaplen", [0, -1, 262_145, 2**32, 2**64])
def test_snaplen_has_a_range(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    snaplen: int,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("port.toml").write_text(PORT, encoding="utf-8")
    assert main(["run", "port.toml", "--trace", "pcap", "--snaplen", str(snaplen)]) == BAD_INPUT
    said = capsys.readouterr().err
    problem = f"snaplen: `{snaplen}` is out of range\n  hint: write `1` to `262144` octets"
    assert said == f"error: --{problem}\n"
    with pytest.raises(ValueError, match=problem):
        cellrelay.run("port.toml", captures="captures", store="store.sqlite", snaplen=snaplen)
    assert [path.name for path in tmp_path.iterdir()] == ["port.toml"]
