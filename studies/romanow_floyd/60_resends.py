"""How many packets are sent again."""

from __future__ import annotations

from cellrelay.plot import Chart
from cellrelay.results import Results
from cellrelay.studies import (
    Check,
    Outcome,
    Verdict,
    average,
    claim,
    exhibit,
    judge,
    known,
    said,
    stated,
)

from .charts import over_buffers, panel, percent
from .measures import by_backoff, cell_loss, grid, plain_atm, resent_packets, shared, spread
from .ten_tcp import SIZES


@exhibit(
    "figure-8-9-10",
    "Figures 8, 9 and 10. Packets sent again, as a percentage of distinct packets.",
    "Early packet discard drops packets too, but whole ones, so connections retransmit while the"
    " link carries few dead cells. Large packets in small buffers are retransmitted often, even"
    " without cells.",
    joins={"figure-8": "plain", "figure-9": "early", "figure-10": "packet"},
)
def packets_resent(plain: Results, early: Results, packet: Results) -> Chart:
    grids = {
        "8. plain ATM": plain_atm(plain),
        "9. early packet discard": grid(early),
        "10. whole packets": grid(packet),
    }
    panels = [panel(title, points, percent(resent_packets)) for title, points in grids.items()]
    return over_buffers(*panels, y_label="packets sent again (%)", y_range=(0, None))


@claim(
    "000-10",
    "Early packet discard resends fewer packets than plain ATM; its cell loss rate is comparable to"
    " its packet resend rate; even whole packets are resent often if they are large; and the"
    " percentage can exceed 100.",
    rule="packets resent over distinct packets: smaller with EPD than with plain ATM at every"
    " place; with EPD between half and twice the cell loss ratio; with packet TCP of 9180 B and"
    " 1000 cells at least 0.05; with plain ATM above 1 somewhere, with full Karn backoff and with"
    " backoff capped at 2",
    expect=Verdict.IN_PART,
)
def resends(plain: Results, early: Results, packet: Results, floor: Results) -> Outcome:
    cells, discarding, whole = plain_atm(plain), grid(early), grid(packet)
    checks = []
    for place in shared(cells, discarding):
        fewer = average(resent_packets, discarding[place]) < average(resent_packets, cells[place])
        checks.append(Check(f"EPD against plain ATM, {said(place)}", fewer))
    for place in shared(discarding):
        ratio = average(resent_packets, discarding[place]) / average(cell_loss, discarding[place])
        checks.append(Check(f"EPD, cells against packets, {said(place)}", 0.5 <= ratio <= 2))
    large = whole[SIZES[-1], "1000 cells"]
    checks.append(Check("packet TCP, 9180 B", average(resent_packets, large) >= 0.05))
    most = {}
    for rule in ("full Karn", "capped at 2"):
        points = by_backoff(floor, rule)
        place = spread(resent_packets, points)[1]
        most[rule] = stated(resent_packets, points, place)
        checks.append(Check(f"above 1 ({rule})", average(resent_packets, points[place]) > 1))
    return judge(
        f"packet TCP of 9180 B at 1000 cells {known(resent_packets, large)}; plain ATM up to"
        f" {most['full Karn']}, with backoff capped at 2 {most['capped at 2']}",
        checks,
    )
