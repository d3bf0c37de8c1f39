package dev.weir.bench.gateway;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.MessageProperties;
import dev.weir.gateway.Gateway;
import dev.weir.gateway.access.Role;
import dev.weir.gateway.access.Scope;
import dev.weir.gateway.access.Token;
import dev.weir.gateway.access.TokenFile;
import dev.weir.gateway.options.BrokerNames;
import dev.weir.gateway.options.GatewayOptions;
import dev.weir.protocol.DeviceType;
import dev.weir.protocol.Job;
import dev.weir.protocol.Json;
import dev.weir.protocol.Mode;
import dev.weir.protocol.Names;
import dev.weir.sql.Migrations;
import dev.weir.testing.ScratchBroker;
import dev.weir.testing.ScratchDatabase;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A gateway with a broker and a database of its own, and pilots that use it until this is closed. For one thread. */
final class PilotLoad implements AutoCloseable {

    private static final int MOST_REQUESTS_PER_SECOND = 100_000;
    private static final String POOL = "cpu";

    private final ScratchDatabase database = ScratchDatabase.create();
    private final ScratchBroker broker = ScratchBroker.create();
    private final Path tokens = Files.createTempFile("weir-bench", ".tokens");
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "bench-pilots");
        thread.setDaemon(true);
        return thread;
    });
    private final Latencies pops = new Latencies();
    private final Latencies reports = new Latencies();
    private final List<HttpPilot> pilots = new ArrayList<>();
    private final Connection connection;
    private final Channel channel;
    private final Gateway gateway;
    private final String queue;
    private long number;

    /** @param job how long each pilot has a job */
    PilotLoad(int count, Duration job) throws Exception {
        Migrations.WEIR.apply(database.jdbcUrl(), database.user(), database.password());
        connection = broker.connect();
        channel = connection.createChannel();
        queue = broker.name(Names.jobs(POOL));
        BrokerNames names = declare();
        String token = Token.random();
        Scope all = new Scope(null, null, List.of("*"), null);
        TokenFile.put(
                tokens,
                new Token("bench", Role.PILOT, Token.hash(token), Instant.now().plusSeconds(3600), all));
        gateway = Gateway.start(
                GatewayOptions.local(0, database.jdbcUrl(), database.user(), database.password(), broker.uri(), tokens)
                        .withNames(names)
                        .withLimits(MOST_REQUESTS_PER_SECOND, GatewayOptions.MAX_CONNECTIONS)
                        .build());
        HttpClient client = HttpClient.newHttpClient();
        for (int i = 0; i < count; i++) {
            HttpPilot pilot = new HttpPilot("bench-" + i, gateway.url(), token, client, clock, job, pops, reports);
            pilots.add(pilot);
            pilot.start();
        }
    }

    private BrokerNames declare() throws IOException {
        String events = broker.name(Names.EVENTS);
        String notices = broker.name(Names.NOTICES);
        channel.exchangeDeclare(events, "topic", true);
        channel.exchangeDeclare(notices, "direct", true);
        channel.queueDeclare(queue, true, false, false, null);
        for (String exchange : List.of(Names.SEND_TASKS, Names.SEND_COMMANDS, Names.SEND_REPORTS)) {
            channel.exchangeDeclare(broker.name(exchange), "direct", true);
        }
        String taken = broker.name(Names.REPORTS);
        channel.queueDeclare(taken, true, false, false, null);
        channel.queueBind(taken, broker.name(Names.SEND_REPORTS), Names.REPORTS_KEY);
        channel.basicConsume(taken, true, (tag, message) -> {}, tag -> {});
        return new BrokerNames(
                broker.name(Names.SEND_TASKS),
                broker.name(Names.SEND_COMMANDS),
                broker.name(Names.SEND_REPORTS),
                events,
                notices,
                queue.substring(0, queue.length() - POOL.length()),
                BrokerNames.Queues.DEFAULT);
    }

    /** Sends jobs at this rate for this time. */
    void run(int perSecond, Duration time) throws IOException {
        long step = TimeUnit.SECONDS.toNanos(1) / perSecond;
        long next = System.nanoTime();
        long until = next + time.toNanos();
        while (next - until < 0) {
            LockSupport.parkNanos(next - System.nanoTime());
            if (next - System.nanoTime() <= 0) {
                channel.basicPublish("", queue, MessageProperties.PERSISTENT_BASIC, Json.write(job()));
                next += step;
            }
        }
    }

    /** Says in its arguments when it was sent. */
    private Job job() {
        String uid = "t." + number++ + ".0";
        return new Job(
                uid,
                "x",
                Long.toString(System.nanoTime()),
                1,
                DeviceType.CPU,
                Mode.MAP,
                "t",
                null,
                "file:///data/in",
                List.of(),
                List.of(),
                null,
                null,
                "file:///data/" + uid + ".out",
                "file:///data/" + uid + ".log",
                1,
                "0/" + number + "/t",
                60,
                60);
    }

    void forget() {
        pops.clear();
        reports.clear();
    }

    /** From the later of the request and the job to the answer. */
    Latencies pops() {
        return pops;
    }

    Latencies reports() {
        return reports;
    }

    @Override
    public void close() throws Exception {
        pilots.forEach(HttpPilot::stop);
        clock.shutdownNow();
        gateway.close();
        connection.abort();
        broker.close();
        database.close();
        Files.deleteIfExists(tokens);
    }
}
