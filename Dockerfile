# duoforge with Verilator, Icarus Verilog and a C++ compiler: matches, conformance checks and simulation.
# This file has not been built by the project's checks.
#
#   docker build --tag duoforge .
#   docker run --rm --volume "$PWD:/data" duoforge sim --games 100 --junit report.xml

FROM rust:1.90-bookworm AS build
WORKDIR /source
COPY . .
RUN cargo install --locked --path crates/cli --root /opt/duoforge

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates g++ iverilog python3 python3-venv \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/duoforge/bin/ /usr/local/bin/
# Programs and simulator models are for every user of the container.
ENV DUOFORGE_TOOLS=/opt/duoforge/tools DUOFORGE_CACHE=/tmp/duoforge
RUN duoforge setup --for sim
WORKDIR /data
ENTRYPOINT ["duoforge"]
