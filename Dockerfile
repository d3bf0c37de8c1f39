# One image with all of Weir under /opt/weir: bin/ (weir, flink-process), lib/ (jars), flink/ (Flink's jars), job/ (the jar to submit to a
# Flink cluster), flink-conf/. The command of a container selects the program; docker-compose.yml shows all of them.
# docker build -t weir:0.1.0 .

FROM eclipse-temurin:17.0.15_6-jdk-jammy AS build
WORKDIR /src
COPY . .
# The build of the launcher, as in a checkout.
RUN ./weir --version

FROM eclipse-temurin:17.0.15_6-jre-jammy
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
ENV PATH=/opt/weir/bin:$PATH WEIR_LOG=/var/log/weir
USER weir
WORKDIR /var/lib/weir
CMD ["/opt/weir/bin/weir", "--help"]
