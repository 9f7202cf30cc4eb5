"""`cellrelay schema`: the JSON Schema of scenario files."""

from cellrelay import _core
from cellrelay.cli.trial import ExampleSetup

EXAMPLES = """\
cellrelay schema > scenario.schema.json
"""
TRIAL = ExampleSetup.RESULTS


def command() -> None:
    """Print the JSON Schema of scenario files, for editors and other tools."""
    print(_core.schema().rstrip("\n"))
