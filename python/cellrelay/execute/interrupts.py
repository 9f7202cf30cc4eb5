"""Ctrl-C held back where it could do harm."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def deferred_interrupt() -> Iterator[None]:
    """Hold Ctrl-C back until the block has ended.

    Python raises `KeyboardInterrupt` between any two instructions of the main thread. If it comes
    after a lock of `concurrent.futures` was taken and before the block that frees it, workers wait
    for that lock for ever. Other threads get no signals, so nothing is held back there. Nothing is
    held back either if C code has set the handler, since Python could not restore it.
    """
    is_ours = signal.getsignal(signal.SIGINT) is not None
    if threading.current_thread() is not threading.main_thread() or not is_ours:
        yield
        return
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        for number in came[:1]:
            signal.raise_signal(number)
