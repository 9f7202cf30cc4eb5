"""Exit codes of commands."""

DONE = 0
BAD_INPUT = 2
BROKEN_MODEL = 3
STOPPED_EARLY = 4
FAILED_POINTS = 5
INTERRUPTED = 130


class Refusal(Exception):
    """A command line that is refused; the message says what to write instead."""
