"""How many packets are sent again."""

from __future__ import annotations

from cellrelay.plot import Chart
from cellrelay.results import Results
from cellrelay.studies import (
    Check,
    Outcome,
    Verdict,
    above,
    average,
    claim,
    exhibit,
    gain,
    judge,
    known,
    said,
    stated,
)

from .charts import over_buffers, panel, percent
from .measures import EQUAL, cell_loss, dead, grid, plain_atm, resent_packets, shared, spread


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
    printed = {"paper: can exceed 100 %": 100.0}
    return over_buffers(
        *panels, y_label="packets sent again (%)", y_range=(0, None), levels=printed
    )


@claim(
    "000-10",
    "Early packet discard resends fewer packets than plain ATM; its cell loss rate is comparable to"
    " its packet resend rate; even whole packets are resent often if they are large; and the"
    " percentage can exceed 100.",
    rule="packets resent over distinct packets: smaller with EPD than with plain ATM at every"
    f" place, or larger by less than {EQUAL}; with EPD between half and twice the cell loss ratio;"
    " with packet TCP somewhere at least 0.05; with plain ATM somewhere above 1",
    where="appendix C, Figures 7 to 10",
    of_paper="1: if packets are retransmitted more than once, the percentage can be over 100",
    ours=f"`equal` is within {EQUAL}, `comparable` is half to twice, `high` is 0.05; the paper"
    " gives no numbers",
    expect=Verdict.IN_PART,
)
def resends(plain: Results, early: Results, packet: Results) -> Outcome:
    cells, discarding, whole = plain_atm(plain), grid(early), grid(packet)
    checks = []
    for place in shared(cells, discarding):
        fewer = gain(resent_packets, cells[place], discarding[place])
        checks.append(above(f"EPD against plain ATM, {said(place)}", fewer, -EQUAL))
    for place in shared(discarding):
        ratio = average(resent_packets, discarding[place]) / average(cell_loss, discarding[place])
        checks.append(Check(f"EPD, cells against packets, {said(place)}", 0.5 <= ratio <= 2))
    most = {
        name: (points, spread(resent_packets, points)[1])
        for name, points in {"packet TCP": whole, "plain ATM": cells}.items()
    }
    for (name, (points, place)), least in zip(most.items(), (0.05, 1.0), strict=True):
        checks.append(Check(f"{name}, most", average(resent_packets, points[place]) > least))
    words = [f"{name} up to {stated(resent_packets, *where)}" for name, where in most.items()]
    place = spread(resent_packets, discarding)[1]
    worst = discarding[place]
    again = average(resent_packets, worst)
    return judge(
        "; ".join(words),
        checks,
        f"with EPD and {said(place)} {again / (1 + again):.0%} of the packets sent are lost, which"
        f" is {again:.2f} for each distinct one; fewer cells are, {known(cell_loss, worst)}, since"
        f" the rest of damaged packets takes {known(dead, worst)} of the time of the link",
    )
