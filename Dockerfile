# One image with all of Weir under /opt/weir: bin/ (weir, flink-process), lib/ (jars), flink/ (Flink's jars), job/ (the jar to submit to a
# Flink cluster), flink-conf/. The command of a container selects the program; docker-compose.yml shows all of them.
# docker build -t weir:0.1.0 .

# Both can be named by digest: --build-arg JDK=eclipse-temurin@sha256:…
ARG JDK=eclipse-temurin:17.0.19_10-jdk-noble@sha256:2ec9a70d3c1c8c9133fe9f92e4950229db22aad36426a2093738d0871b0a66c3
ARG JRE=eclipse-temurin:17.0.19_10-jre-noble@sha256:f759d08b367f703228b0df9680895a5e72c3b69fbbf5b47ca8bb6e821344d442

FROM ${JDK} AS build
WORKDIR /src
COPY . .
# The build of the launcher, as in a checkout.
RUN ./weir --version

FROM ${JRE}
# curl is for health checks. Pilots run the programs in /opt/weir/programs: never all of /usr/bin, which has shells and interpreters.
RUN apt-get update \
    && apt-get install -y --no-install-recommends curl \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --gid 10001 weir \
    && useradd --uid 10001 --gid weir --home-dir /var/lib/weir --no-create-home --shell /usr/sbin/nologin weir \
    && install -d -o weir -g weir /var/lib/weir /var/log/weir /data \
    && install -D -t /opt/weir/programs /usr/bin/sha256sum /usr/bin/gzip /usr/bin/wc
COPY --from=build /src/cli/target/app/lib/ /opt/weir/lib/
COPY --from=build /src/flink/target/lib/ /opt/weir/flink/
COPY --from=build /src/job/target/cluster/ /opt/weir/job/
COPY --from=build /src/weir /opt/weir/bin/weir
COPY --from=build /src/docker/flink-process /opt/weir/bin/flink-process
COPY --from=build /src/flink-conf/ /opt/weir/flink-conf/
COPY --from=build /src/LICENSE /opt/weir/LICENSE
COPY --from=build /src/NOTICE /opt/weir/NOTICE
COPY --from=build /src/docs/THIRD-PARTY.md /opt/weir/THIRD-PARTY.md
ENV PATH=/opt/weir/bin:$PATH WEIR_LOG=/var/log/weir
USER weir
WORKDIR /var/lib/weir
CMD ["/opt/weir/bin/weir", "--help"]
