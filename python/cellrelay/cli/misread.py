"""Messages for command lines that cannot be parsed."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Literal, get_args, get_origin

from cyclopts import (
    CoercionError,
    CycloptsError,
    MissingArgumentError,
    RepeatArgumentError,
    UnknownCommandError,
    UnknownOptionError,
    UnusedCliTokensError,
)

from cellrelay.text.suggest import meant_or


def explained(error: CycloptsError, commands: Iterable[str]) -> str:
    """The problem and a hint; `commands` are those that exist."""
    usage = " ".join(["cellrelay", *(error.command_chain or ())])
    lists_options = f"`{usage} --help` lists the options"
    match error:
        case UnknownCommandError(unused_tokens=[word, *_]):
            return _unknown(word, list(commands))
        case UnknownOptionError():
            option = (error.token.keyword or error.token.value).partition("=")[0]
            known = chain.from_iterable(one.names for one in error.argument_collection if one.parse)
            problem = f"`{option}` is not an option of `{usage}`"
            hint = meant_or(option, known, lists_options)
        case UnusedCliTokensError(unused_tokens=[word, *_]):
            problem = f"`{word}`: `{usage}` takes no further argument"
            hint = f"`{usage} --help` shows the arguments; one with spaces needs quotes"
        case MissingArgumentError():
            problem, hint = _missing(error), f"`{usage} --help` shows what to write"
        case RepeatArgumentError():
            problem, hint = f"{error.token.keyword}: the option is given twice", "give it once"
        case CoercionError():
            return _invalid(error, lists_options)
        case _:
            problem, hint = str(error), lists_options
    return f"{problem}\n  hint: {hint}"


def not_a_choice(name: str, value: str, choices: list[str]) -> str:
    """The problem of a value that is none of the choices of an option, and a hint."""
    listed = ", ".join(f"`{choice}`" for choice in choices)
    meant = meant_or(value, choices, "")
    hint = f"{meant} the choices are {listed}" if meant else f"write one of {listed}"
    return f"{name}: `{value}` is not one of the choices\n  hint: {hint}"


def _unknown(word: str, commands: list[str]) -> str:
    if word.startswith("-"):
        hint = meant_or(word, ["--help", "--version"], "write the command before its options")
        return f"`{word}` is not an option of `cellrelay`\n  hint: {hint}"
    listed = ", ".join(f"`{command}`" for command in commands)
    hint = meant_or(word, commands, f"the commands are {listed}")
    return f"`{word}` is not a command\n  hint: {hint}"


def _missing(error: MissingArgumentError) -> str:
    name = _name(error, error.keyword)
    return f"{name}: the option has no value" if name.startswith("-") else f"{name} is missing"


def _invalid(error: CoercionError, lists_options: str) -> str:
    name = _name(error, error.token.keyword if error.token else None)
    value = error.token.value if error.token else ""
    if error.msg is None and get_origin(error.target_type) is Literal:
        return not_a_choice(name, value, [str(choice) for choice in get_args(error.target_type)])
    if error.msg is None and error.target_type is bool:
        return f"{name}: the option takes no value\n  hint: write `{name}` alone"
    if error.target_type is int or int in get_args(error.target_type):
        hint = f"write a whole number, for example `{name} 1`"
        return f"{name}: {error.msg or error}\n  hint: {hint}"
    return f"{name}: {error.msg or error}\n  hint: {lists_options}"


def _name(error: CycloptsError, keyword: str | None) -> str:
    """The option or argument that an error is about, as the help names it."""
    return keyword or (error.argument.name if error.argument else "")
