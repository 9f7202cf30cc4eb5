"""Findings to look at first: each rule states one problem, and problems are ranked by their cost.

The weight of a finding is the share of time, or of the capacity of a link, that the problem takes.
The limit of a sender costs nothing while the busiest link is busy, so its share of time is
multiplied by the share of time in which that link is idle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from cellrelay.explain.advice import discard_whole_packets, larger_window, shorter_timer
from cellrelay.explain.flows import CAUSES, LIMITS, Drop, MeasuredFlow, MeasuredGroup
from cellrelay.explain.number_text import amount, count, listed, share
from cellrelay.explain.ports import MeasuredPort, busiest
from cellrelay.explain.settings import Settings
from cellrelay.simulation.run import Warned

WRONG = 0.03
"""Weight from which a finding is shown."""
PENDING = "timer_pending"
"""The warning about a flow that waits for its retransmission timer when the run ends."""
EXPLAINED = (PENDING, "window_limited")
"""Warnings about what a finding of its own explains, with more figures."""


@dataclass(frozen=True)
class Finding:
    """A problem, or another fact about the results."""

    rule: str
    weight: float
    text: str
    figure: str
    """The figure that shows the finding, by its name in `FIGURES`."""
    about: str = ""
    """The flow or port that the figure shows."""
    settings: tuple[str, ...] = ()
    """Settings to compare with, in the form of `--set`."""


@dataclass(frozen=True)
class Case:
    """The data for all rules."""

    groups: Sequence[MeasuredGroup]
    ports: Sequence[MeasuredPort]
    drops: Sequence[Drop]
    settings: Settings
    has_series: bool
    warnings: Sequence[Warned] = ()
    """Warnings of every run."""
    idle: float = field(init=False)
    """Share of time in which the busiest link was idle."""

    def __post_init__(self) -> None:
        port = busiest(self.ports)
        object.__setattr__(self, "idle", 1.0 - port.get("utilization") if port else 1.0)

    @property
    def link(self) -> str:
        """The idle time of the busiest link, in words."""
        port = busiest(self.ports)
        return (
            f"while the busiest link, {port.name}, was idle for {share(self.idle)}" if port else ""
        )

    def awaits_timer(self, flow: MeasuredFlow) -> bool:
        """True if the retransmission timer of a flow had not expired yet when every run ended."""
        return any(
            warning.code == PENDING and str(warning.scope.name) == flow.name
            for warning in self.warnings
        )

    def lost_by(self, flow: MeasuredFlow) -> list[Drop]:
        """The drops of a flow, the largest first."""
        return [drop for drop in self.drops if drop.flow == flow.name]


def findings(case: Case) -> list[Finding]:
    """Problems, the worst first."""
    found = [finding for rule in RULES for finding in rule(case) if finding.weight >= WRONG]
    return sorted(found, key=lambda finding: -finding.weight)


def _timeouts(case: Case) -> Iterator[Finding]:
    for group in case.groups:
        worst = group.worst("timeout")
        mean = (
            f", its group {share(group.limited_by('timeout'))} in the mean"
            if len(group.flows) > 1
            else ""
        )
        expired = worst.get("timeouts")
        silences = (
            f"{count(expired, 'timeout')}, after silences of"
            f" {amount(worst.get('mean_pause'), 's')} each"
            if expired
            else "it had not expired yet when the run ended"
        )
        text = (
            f"`{worst.name}` waited {share(worst.limits.get('timeout', 0.0))} of the time for its"
            f" retransmission timer{mean}: {silences}."
        )
        lost = case.lost_by(worst)
        settings = shorter_timer(case.settings, group.name)
        if lost:
            text += f" {_where(lost)}"
            settings = (*discard_whole_packets(case.settings, lost), *settings)
        figure = "moment" if case.has_series else "limits"
        # If other flows fill the link meanwhile, the problem costs this flow time, but the link no
        # capacity.
        weight = group.limited_by("timeout") * (0.3 + 0.7 * case.idle)
        yield Finding("timeouts", weight, text, figure, worst.name, settings[:1])


def _where(lost: Sequence[Drop]) -> str:
    """The place and the cause of the most drops, in words."""
    first, total = lost[0], sum(drop.cells for drop in lost)
    why = CAUSES[first.cause].short
    return f"{share(first.cells / total)} of its drops were at {first.port} ({why})."


def _dead_cells(case: Case) -> Iterator[Finding]:
    for port in case.ports:
        dead = port.get("dead_cell_share")
        lost = [drop for drop in case.drops if drop.port == port.name]
        text = (
            f"{share(dead)} of the capacity of {port.name} went to dead cells: other cells of"
            " their PDUs were dropped before or after them."
        )
        settings = discard_whole_packets(case.settings, lost)
        yield Finding("dead cells", dead, text, "capacity", port.name, settings)


def _duplicate(case: Case) -> Iterator[Finding]:
    for port in case.ports:
        duplicate = port.get("duplicate_share")
        text = (
            f"{share(duplicate)} of the capacity of {port.name} went to packets that had arrived"
            " before: these retransmissions were unnecessary."
        )
        yield Finding("unnecessary retransmissions", duplicate, text, "capacity", port.name)


def _retransmissions(case: Case) -> Iterator[Finding]:
    for group in case.groups:
        sent = sum(flow.get("packets_sent") for flow in group.flows)
        if not sent:
            continue
        repeated = sum(map(_retransmitted, group.flows)) / sent
        worst = max(group.flows, key=_retransmitted)
        among = f", all flows of its group {share(repeated)}" if len(group.flows) > 1 else ""
        timeouts, fast = (worst.get(metric) for metric in ("timeouts", "fast_retransmits"))
        text = (
            f"`{worst.name}` had sent {share(_retransmitted(worst) / worst.get('packets_sent'))}"
            f" of its packets before{among}: {count(timeouts, 'timeout')} and"
            f" {count(fast, 'fast retransmit')}."
        )
        # The costs of losses, which are waits for timers and dead cells, have findings of their
        # own.
        weight = max(0.3 * repeated, min(repeated, WRONG))
        yield Finding("sent again", weight, text, "limits", worst.name)


def _retransmitted(flow: MeasuredFlow) -> float:
    return flow.get("packets_retransmitted")


def _pending(case: Case) -> Iterator[Finding]:
    for group in case.groups:
        flows = [flow for flow in group.flows if case.awaits_timer(flow)]
        if not flows:
            continue
        flow = min(flows, key=lambda one: one.get("goodput"))
        more = f" and {count(len(flows) - 1, 'more flow')}" if len(flows) > 1 else ""
        text = (
            f"At the end of every run `{flow.name}`{more} waited for the retransmission timer,"
            f" which had not expired yet; the silence is counted as {LIMITS['timeout']}."
        )
        lost = case.lost_by(flow)
        text += f" {_where(lost)}" if lost else ""
        settings = shorter_timer(case.settings, group.name)
        yield Finding("pending timeout", 1.0, text, "limits", flow.name, settings)


def _warned(case: Case) -> Iterator[Finding]:
    said: dict[str, list[str]] = {}
    for warning in case.warnings:
        if warning.code not in EXPLAINED:
            said.setdefault(warning.says, []).append(str(warning.scope.name))
    for what, flows in said.items():
        more = f" and {count(len(flows) - 1, 'more flow')}" if len(flows) > 1 else ""
        text = f"Every run has the warning: `{flows[0]}`{more}: {what}."
        yield Finding("warning", 1.0, text, "goodput", flows[0])


WHY = {
    "slow_start": "had a congestion window below its threshold",
    "congestion_window": "was limited by its congestion window",
    "receiver_window": "was limited by the receiver's window",
    "acr": "had cells waiting for the rate that ABR allowed",
    "credit": "had cells waiting for credit",
    "contract": "had cells waiting to conform to its contract",
    "rate": "kept to the rate of its transport",
    "pacing": "paced its packets",
    "handshake": "was in a handshake",
}
"""The effect of each limit on a sender, in words."""


def _limits(case: Case) -> Iterator[Finding]:
    for group in case.groups:
        for reason, why in WHY.items():
            limited = group.limited_by(reason)
            if not limited:
                continue
            flow = group.worst(reason)
            who = f"`{group.name}`" if len(group.flows) == 1 else f"`{group.name}`, in the mean of"
            many = "" if len(group.flows) == 1 else f" {len(group.flows)} flows,"
            if _is_pulled(case, group, reason):
                why = "waited for the receiver to pull a packet"
            text = f"{who}{many} {why} for {share(limited)} of the time, {case.link}."
            text += _more(case, group, reason)
            settings = larger_window(case.settings, group, reason)
            yield Finding(LIMITS[reason], limited * case.idle, text, "limits", flow.name, settings)


def _is_pulled(case: Case, group: MeasuredGroup, reason: str) -> bool:
    """True if the limit is that the receiver has not pulled a packet."""
    return reason == "receiver_window" and case.settings.transport(group.name)[0] == "pull"


def _more(case: Case, group: MeasuredGroup, reason: str) -> str:
    """The numbers that explain a limit, in words."""
    losses, rtt = group.mean("loss_events"), group.mean("mean_rtt")
    if reason in ("slow_start", "congestion_window") and losses:
        each = "" if len(group.flows) == 1 else " each"
        return f" Losses had made it smaller {count(losses, 'time')}{each}."
    if reason == "receiver_window" and rtt and not _is_pulled(case, group, reason):
        got = amount(group.mean("goodput"), "bit/s")
        return f" With a round trip of {amount(rtt, 's')} it allowed {got}."
    if reason in ("acr", "contract", "credit") and group.mean("mean_source_queue"):
        waiting = count(group.mean("mean_source_queue"), "cell")
        return f" In the mean {waiting} waited at the sending host."
    return ""


def _unfairness(case: Case) -> Iterator[Finding]:
    for group in case.groups:
        goodputs = [flow.get("goodput") for flow in group.flows]
        squares = sum(goodput * goodput for goodput in goodputs)
        if len(goodputs) < 2 or not squares or group.limiter == "application":
            continue
        index = sum(goodputs) ** 2 / (len(goodputs) * squares)
        fast, slow = group.fastest, group.slowest
        reason = max(
            slow.limits, key=lambda limit: slow.limits[limit] - fast.limits.get(limit, 0.0)
        )
        rates = [amount(flow.get("goodput"), "bit/s") for flow in (fast, slow)]
        text = (
            f"`{fast.name}` got {rates[0]} through, and `{slow.name}` {rates[1]}. The limit in"
            f" which they differ most is {LIMITS[reason]}: it limited `{slow.name}` for"
            f" {share(slow.limits[reason])} of the time, and `{fast.name}` for"
            f" {share(fast.limits.get(reason, 0.0))}. Jain's index of the group is {index:.2f}."
        )
        yield Finding("unfairness", 1.0 - index, text, "goodput", slow.name)


ANSWERS = ("timeout", "slow_start", "congestion_window")
"""Limits of senders after losses."""


def _lossy(case: Case) -> Iterator[Finding]:
    """Drops and losses that no buffer causes."""
    total = sum(drop.cells for drop in case.drops)
    for name, cause in CAUSES.items():
        of_cause = [drop for drop in case.drops if drop.cause == name]
        if not of_cause or not cause.finding:
            continue
        first = of_cause[0]
        cells = sum(drop.cells for drop in of_cause if drop.port == first.port)
        text = f"{count(cells, 'cell')} {cause.finding.format(first.port)}."
        # The cost of these losses is the reaction of the senders, which has findings of its own.
        limited = max(sum(map(group.limited_by, ANSWERS)) for group in case.groups)
        weight = cells / total * max(2 * WRONG, limited)
        yield Finding(cause.short, weight, text, "drops", first.port)


Rule = Callable[[Case], Iterator[Finding]]
RULES: tuple[Rule, ...] = (
    _pending,
    _warned,
    _timeouts,
    _dead_cells,
    _duplicate,
    _retransmissions,
    _limits,
    _unfairness,
    _lossy,
)


def notes(case: Case) -> list[Finding]:
    """Facts that are no problems."""
    found = []
    port = busiest(case.ports)
    if port is not None and port.get("utilization"):
        parts = {word: part for word, part in port.parts.items() if part >= 0.01 and word != "idle"}
        what = listed([f"{share(part)} {word}" for word, part in parts.items()])
        busy = share(1.0 - case.idle)
        what = f": {what}" if what else ""
        text = f"The busiest link, {port.name}, was busy for {busy} of the time{what}."
        found.append(Finding("busiest link", 0.0, text, "capacity", port.name))
    for group in case.groups:
        reason = group.limiter
        who = f"`{group.name}`" + (f" ({len(group.flows)} flows)" if len(group.flows) > 1 else "")
        text = (
            f"{who} was limited mostly by {LIMITS[reason]}, for"
            f" {share(group.limited_by(reason))} of the time, and got"
            f" {amount(group.mean('goodput'), 'bit/s')}"
            f"{' each' if len(group.flows) > 1 else ''} through."
        )
        found.append(Finding("limiter", 0.0, text, "limits", group.flows[0].name))
    return found
