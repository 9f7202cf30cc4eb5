"""Numbers in the form that sentences need."""

from __future__ import annotations

import math

from cellrelay.text.quantity import scale


def share(value: float) -> str:
    """A share in per cent.

    >>> share(0.4149), share(0.004), share(0.0)
    ('41 %', '0.4 %', '0 %')
    """
    per_cent = 100.0 * value
    if per_cent == 0 or per_cent >= 9.5:
        return f"{per_cent:.0f} %"
    return f"{per_cent:.2g} %"


def amount(value: float, unit: str) -> str:
    """A quantity with its unit.

    >>> amount(141_333_000.0, "bit/s"), amount(0.0213, "s"), amount(65_536.0, "B")
    ('141 Mbit/s', '21.3 ms', '64 KiB')
    """
    factor, scaled = scale(abs(value), unit, binary=unit == "B")
    return f"{value / factor:.3g} {scaled}".rstrip()


def count(value: float, noun: str) -> str:
    """A number of things, which may be a mean.

    >>> count(1.0, "timeout"), count(2.5, "timeout"), count(31_234.5, "cell")
    ('1 timeout', '2.5 timeouts', '31234 cells')
    """
    digits = 0 if value >= 10 or math.isclose(value, round(value), abs_tol=0.05) else 1
    return f"{value:.{digits}f} {noun}{'' if round(value, digits) == 1 else 's'}"


def listed(names: list[str]) -> str:
    """Names in a sentence.

    >>> listed([]), listed(["a"]), listed(["a", "b", "c"])
    ('', 'a', 'a, b and c')
    """
    if not names:
        return ""
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
