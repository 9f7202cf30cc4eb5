"""Mutants: the code with one small change each, which some test has to notice.

`cargo-mutants` lists the mutants of the kernel, the outputs, the credits and the transports, from
which a sample is drawn by their names, so that it is the same each time. To build each mutant by
itself would take hours. So all of them are built at once, in a copy of the tree: where code is to
change, a switch is written that picks the mutant whose number is in the environment. A mutant then
takes only as long as the first test that notices it; the tests of its own crate come first.

What no test notices is listed. It is answered by a test, or by a line of `.cargo/mutants.toml` that
says why no test can tell it from the code.
"""
