"""Workers for runs, behind `concurrent.futures.Executor`; by default, threads of this process.

Threads are enough on one machine, because a run releases the interpreter lock.
"""

from cellrelay.execute.crew import Crew, Failure
from cellrelay.execute.kinds import open_crew
from cellrelay.execute.threads import processors

__all__ = ["Crew", "Failure", "open_crew", "processors"]
