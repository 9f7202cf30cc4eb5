"""Choices that the RFC leaves open, and their effect on the results."""

from __future__ import annotations

from cellrelay.studies import alternative

TCP = "flow.bulk.transport.tcp"

cubic = alternative("CUBIC senders", {f"{TCP}.congestion": {"cubic": {}}})
reno = alternative("NewReno senders", {f"{TCP}.congestion": {"new_reno": {}}})
delayed = alternative(
    "delayed acknowledgments", {f"{TCP}.acknowledge": {"rfc5681": {"delay": "40 ms"}}}
)
