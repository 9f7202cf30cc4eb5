"""Rows of the tables, and the formula.

The rows are those of `pg_profile_lookup.ini` in the folders `device/mellanox` of sonic-buildimage,
commit 086b03bd70f9: `x86_64-mlnx_msn2700-r0/ACS-MSN2700` (Spectrum-1),
`x86_64-mlnx_msn3700-r0/ACS-MSN3700` (Spectrum-2), `x86_64-nvidia_sn5600-r0/ACS-SN5600` (Spectrum-4)
and `x86_64-nvidia_sn6600_ld-r0/ACS-SN6600_LD` (Spectrum-6). Column `xoff` is the headroom.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil

CABLES = (5, 40, 300)
"""Lengths in metres for which the tables have rows."""
LIGHT = 198e6
"""Metres per second in a cable: `speed_of_light` of the formula."""
LARGEST = 9100
"""Octets of the largest packet on a port."""
CELLS: Mapping[str, int] = {
    "Spectrum-1": 96,
    "Spectrum-2": 144,
    "Spectrum-4": 192,
    "Spectrum-6": 256,
}
"""Octets of a cell: `cell_size` in `platform/mellanox/asic_table.j2` of sonic-buildimage."""
INTERFACES = 0.8 * 1024
"""Octets on the way through the interfaces: `mac_phy_delay`, same file."""
RESPONSE = 3.8 * 1024
"""Octets sent until a pause is obeyed: `peer_response_time`, same file."""
QUANTA = {10: 67, 25: 80, 40: 118, 50: 147, 100: 394, 200: 453, 400: 905, 800: 905}
"""Quanta of 64 octets until a pause is obeyed, by the rate in Gbit/s: IEEE 802.3, 31B.3.7, as the
formula has them."""
TILE = {"Spectrum-4": 120e-9}
"""Further seconds until a pause is obeyed, within the switch."""

TABLE_1: Mapping[tuple[int, int], int] = {
    **{(10, 5): 29696, (25, 5): 29696, (40, 5): 29696, (50, 5): 29696, (100, 5): 30720},
    **{(10, 40): 29696, (25, 40): 31744, (40, 40): 32768, (50, 40): 33792, (100, 40): 38912},
    **{(10, 300): 36864, (25, 300): 48128, (40, 300): 59392, (50, 300): 66560, (100, 300): 104448},
}
"""Headroom of Spectrum-1 in octets, by the rate in Gbit/s and the cable in metres."""
AT_100: Mapping[str, Mapping[int, int]] = {
    "Spectrum-1": {5: 30720, 40: 38912, 300: 104448},
    "Spectrum-2": {5: 33792, 40: 44032, 300: 117760},
    "Spectrum-4": {5: 113664, 40: 126976, 300: 225280},
    "Spectrum-6": {5: 44032, 40: 48128, 300: 84992},
}
"""Headroom at 100 Gbit/s in octets, by the cable in metres."""


def slope(chip: str) -> float:
    """Octets of headroom for each metre of cable at 100 Gbit/s, from the first row to the last."""
    rows = AT_100[chip]
    return (rows[CABLES[-1]] - rows[CABLES[0]]) / (CABLES[-1] - CABLES[0])


def on_a_metre(gbits: float) -> float:
    """Octets on a metre of cable, there and back."""
    return 2 * gbits * 1e9 / 8 / LIGHT


def factor(chip: str) -> int:
    """Octets of memory for each octet on the link that the formula counts for the worst packets.

    `worst_case_factor` in `cfgmgr/buffer_headroom_mellanox.lua` of sonic-swss, commit e6b0c5b5d2ab:
    cells of more than 128 octets hold one packet of 64 octets each, and in others a packet has one
    octet more than a cell; rounded up since commit 3943093d4097.
    """
    cell = CELLS[chip]
    return ceil(cell / 64 if cell > 128 else 2 * cell / (1 + cell))


def formula(chip: str, gbits: int, metres: float, small: float, largest: int = 1024) -> int:
    """Headroom in octets by the same file, for a port without a gearbox.

    `small` is the percentage of packets of 64 octets, the others being of the `largest` size that
    is kept from loss; 50 and 1024 octets are the defaults of
    `files/build_templates/buffers_config.j2` in sonic-buildimage. `headroom_compensation` adds
    2 KiB to what stays far below the worst case.
    """
    delayed = LARGEST + metres * on_a_metre(gbits) + INTERFACES + 64 * QUANTA[gbits]
    delayed += TILE.get(chip, 0.0) * gbits * 1e9 / 8
    by_octets = 100 * 64 / ((small * 64 + (100 - small) * largest) / 100)
    share = by_octets / 100
    occupancy = 1 - share + share * factor(chip)
    found = _rounded(largest + delayed * occupancy) + (18 * 1024 if chip == "Spectrum-6" else 0)
    worst = _rounded(largest + delayed * factor(chip))
    return found + 2048 if small != 100 and found + 2048 < worst else found


def _rounded(octets: float) -> int:
    return ceil(octets / 1024) * 1024
