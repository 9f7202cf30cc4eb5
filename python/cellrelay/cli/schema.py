"""`cellrelay schema`: the JSON Schema of scenario files."""

from cellrelay import _core

EXAMPLES = """\
cellrelay schema > scenario.schema.json
"""


def command() -> None:
    """Print the JSON Schema of scenario files, for editors and other tools."""
    print(_core.schema().rstrip("\n"))
