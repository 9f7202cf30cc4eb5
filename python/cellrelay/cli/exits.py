"""How a command ends."""

DONE = 0
BAD_INPUT = 2
BROKEN_MODEL = 3
STOPPED_EARLY = 4
FAILED_POINTS = 5
INTERRUPTED = 130


class Refusal(Exception):
    """Something on the command line cannot be done; the message says what can."""
