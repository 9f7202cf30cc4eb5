"""`python -m tests.mutants`: try a sample of mutants, and tell what no test noticed."""

import argparse
import os
import sys
from collections import Counter
from pathlib import Path

from tests.mutants.sample import ROOT, copy, sample
from tests.mutants.trial import CRATES, Verdict, Workshop


def main() -> int:
    """Try a sample; 0 if enough of it was noticed."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants")
    parser.add_argument("--sample", type=int, default=350, help="how many are drawn")
    parser.add_argument("--seed", type=int, default=1, help="which sample is drawn")
    parser.add_argument("--least", type=float, default=95.0, help="percentage to be noticed")
    parser.add_argument("--out", type=Path, default=ROOT / "target" / "mutants")
    options = parser.parse_args()
    tree = options.out / "tree"
    environment = os.environ | {"CARGO_TARGET_DIR": str(options.out / "target")}
    copy(tree)
    listed, mutants = sample(tree, environment, options.sample, options.seed)
    workshop = Workshop(tree, environment)
    switchable = workshop.switchable(mutants)
    viable = workshop.viable(switchable)
    print(f"{listed} mutants, {len(mutants)} in the sample")
    print(f"{len(mutants) - len(switchable)} cannot be switched while the code runs")
    print(f"{len(switchable) - len(viable)} do not compile, {len(viable)} do", flush=True)
    verdicts = []
    for verdict in workshop.try_all(viable, workshop.tests()):
        verdicts.append(verdict)
        if verdict.noticed_by is None:
            print(f"survives: {verdict.mutant.name}", flush=True)
    return told(verdicts, options.least)


def told(verdicts: list[Verdict], least: float) -> int:
    """Tell which tests noticed how many; 0 if enough mutants were noticed."""
    by_crate = Counter(verdict.noticed_by.crate for verdict in verdicts if verdict.noticed_by)
    for crate in CRATES:
        print(f"{by_crate[crate]} noticed by the tests of {crate}")
    noticed = by_crate.total()
    share = 100 * noticed / max(1, len(verdicts))
    print(f"{noticed} of {len(verdicts)} noticed: {share:.1f} %")
    return 0 if share >= least else 1


if __name__ == "__main__":
    sys.exit(main())
