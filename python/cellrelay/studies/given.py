"""Arguments of the functions of a study: the results that the names of their parameters select.

A parameter `plain_five` is given the results of the experiment `plain-five`; a parameter `**others`
is given the results of all experiments that no other parameter names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import Parameter, signature
from typing import TypeVar

from cellrelay.results import NotMeasured, Results

Measured = Mapping[str, Results]
"""The results of a study's experiments, by their names."""

Answer = TypeVar("Answer")


def experiment_name(name: str) -> str:
    """The name of an experiment, from the name of a variable or a parameter."""
    return name.replace("_", "-")


def needed(function: Callable[..., object]) -> tuple[str, ...]:
    """The experiments that the parameters of a function name."""
    parameters = signature(function).parameters.values()
    return tuple(experiment_name(one.name) for one in parameters if not _takes_others(one))


def hand(function: Callable[..., Answer], measured: Measured) -> Answer:
    """Call a function with the results that its parameters name.

    Raises:
        NotMeasured: if one of the experiments has no results.
    """
    given: dict[str, Results] = {}
    others = dict(measured)
    for parameter in signature(function).parameters.values():
        if _takes_others(parameter):
            given |= others
            continue
        name = experiment_name(parameter.name)
        if name not in others:
            raise NotMeasured(f"experiment `{name}` was not run")
        given[parameter.name] = others.pop(name)
    return function(**given)


def _takes_others(parameter: Parameter) -> bool:
    return parameter.kind is Parameter.VAR_KEYWORD
