"""The plan of replications: same outcome whatever the order in which runs end."""

from __future__ import annotations

import random
from array import array

from hypothesis import given
from hypothesis import strategies as st

from cellrelay.execute import Failure
from cellrelay.experiment.plan import SweepPlan
from cellrelay.metrics.scope import NETWORK
from cellrelay.scenario import Replications, Until
from cellrelay.simulation.labels import Label
from cellrelay.simulation.run import Run

LABEL = Label(NETWORK, "wait", "s")
RULE = Replications(2, 9, Until("wait", half_width=0.2, confidence=0.9))
BROKEN = Failure("SimulationError: time went back", is_final=True)


def run(point: int, replication: int) -> Run:
    value = 1.0 + random.Random(f"{point}/{replication}").random() * point
    return Run((LABEL,), array("d", [value]), digest="")


def drive(
    points: int, rule: Replications, workers: int, order: random.Random, fails: set[tuple[int, int]]
) -> SweepPlan:
    """Carry a plan out with runs that end in any order."""
    plan = SweepPlan(points, rule)
    flying: list[tuple[int, int]] = []
    while not plan.is_settled:
        while len(flying) < workers and (chosen := plan.next(speculate=True)) is not None:
            flying.append(chosen)
        ended = flying.pop(order.randrange(len(flying)))
        plan.record(*ended, BROKEN if ended in fails else run(*ended))
    return plan


def outcome(plan: SweepPlan) -> list[tuple[int, list[float], str | None, bool]]:
    return [
        (
            point.count,
            [x for known in point._samples.values() for x in known.values],
            point.failure,
            point.is_precise,
        )
        for point in plan.points
    ]


@given(
    st.sampled_from([RULE, Replications.exactly(4), Replications(1, 1)]),
    st.integers(1, 7),
    st.randoms(use_true_random=False),
    st.sets(st.tuples(st.integers(0, 3), st.integers(0, 8)), max_size=4),
)
def test_the_outcome_depends_neither_on_order_nor_on_workers(
    rule: Replications, workers: int, order: random.Random, fails: set[tuple[int, int]]
) -> None:
    one_by_one = drive(4, rule, 1, random.Random(0), fails)
    assert outcome(drive(4, rule, workers, order, fails)) == outcome(one_by_one)


def test_all_points_advance_together() -> None:
    plan = SweepPlan(3, Replications.exactly(2))
    chosen = [plan.next(speculate=False) for _ in range(6)]
    assert chosen == [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]
    assert plan.next(speculate=True) is None


def test_nothing_is_begun_that_may_prove_needless_unless_a_worker_is_idle() -> None:
    plan = SweepPlan(1, RULE)
    assert [plan.next(speculate=False) for _ in range(3)] == [(0, 0), (0, 1), None]
    assert plan.next(speculate=True) == (0, 2)


def test_a_failure_ends_a_point_at_its_replication() -> None:
    plan = SweepPlan(1, Replications.exactly(5))
    for _ in range(5):
        plan.next(speculate=True)
    plan.record(0, 1, BROKEN)
    assert not plan.is_settled
    plan.record(0, 0, run(0, 0))
    assert plan.is_settled
    assert plan.points[0].count == 1
    assert plan.points[0].failure == BROKEN.error


def test_what_one_replication_did_not_measure_is_not_known_well_enough() -> None:
    plan = SweepPlan(1, Replications(2, 4, Until("wait", 0.5, 0.9)))
    for replication in range(4):
        assert plan.next(speculate=True) == (0, replication)
        nothing = Run((), array("d"), digest="")
        plan.record(0, replication, nothing if replication == 1 else run(0, replication))
    (point,) = plan.points
    assert (point.count, point.failure, point.is_precise) == (4, None, False)
    assert plan.is_settled
