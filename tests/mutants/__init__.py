"""Mutants: the code with one small change each, which some test has to notice.

`cargo-mutants` lists the mutants of the kernel, the outputs, the credits and the transports; every
n-th of them is tried, in the order of the files, so that the sample is the same each time. To build
each by itself would take hours. So all of them are built at once, in a copy of the tree: where code
is to change, a switch is written that picks the mutant whose number is in the environment. A mutant
then takes only as long as the first test that notices it; the tests of its own crate come first.

What no test notices is listed. It is answered by a test, or by a line of `.cargo/mutants.toml` that
says why no test can tell it from the code.
"""
