# The simulator, its studies and its tests, for whoever evaluates them:
#   docker build --tag cellrelay .
#   mkdir --parents out    # otherwise Docker makes it, and only root may write into it
#   docker run --rm --volume "$PWD/out:/home/user/out" cellrelay reproduce dctcp --out out/dctcp
#   docker run --rm --entrypoint make cellrelay -C /cellrelay test
# The tag says what the digest is: a compiler of the version that Cargo.toml names, on Debian 12.
FROM rust:1.95-bookworm@sha256:6258907abe69656e41cd992e0b705cdcfabcbbe3db374f92ed2d47121282d4a1

# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends python3 python3-venv \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home user \
    && install --directory --owner user /cellrelay

USER user
WORKDIR /cellrelay
COPY --chown=user . .
RUN make .venv/.built

ENV PATH="/cellrelay/.venv/bin:$PATH"
WORKDIR /home/user
ENTRYPOINT ["cellrelay"]
CMD ["--help"]
