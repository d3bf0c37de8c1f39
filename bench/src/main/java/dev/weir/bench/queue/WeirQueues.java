package dev.weir.bench.queue;

import com.fasterxml.jackson.databind.JsonNode;
import com.rabbitmq.client.Connection;
import dev.weir.gateway.Gateway;
import dev.weir.gateway.access.Role;
import dev.weir.gateway.access.Scope;
import dev.weir.gateway.access.Token;
import dev.weir.gateway.access.TokenFile;
import dev.weir.gateway.options.BrokerNames;
import dev.weir.gateway.options.GatewayOptions;
import dev.weir.job.FlinkDefaults;
import dev.weir.job.amqp.WeirTopology;
import dev.weir.job.options.AmqpOptions;
import dev.weir.job.options.QueueOptions;
import dev.weir.job.queues.QueueJob;
import dev.weir.protocol.Json;
import dev.weir.protocol.Names;
import dev.weir.protocol.queue.Item;
import dev.weir.sql.Migrations;
import dev.weir.testing.ScratchBroker;
import dev.weir.testing.ScratchDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Weir's queues: gateway and queues job in this process, on RocksDB with checkpoints; the broker and the database of this machine. */
final class WeirQueues implements Contender {

    static final String PATH = "/queue/" + Scans.QUEUE;

    private static final int ITEMS_IN_A_PUSH = 250;
    private static final int PUSHES_UNDER_WAY = 8;
    private static final int MOST_REQUESTS_PER_SECOND = 1_000_000;
    private static final int MOST_TRIES = 50;
    /** Room for a million and a flood. */
    private static final int MOST_ITEMS = 10_000_000;

    private static final long MOST_BYTES = 10L << 30;

    private final ScratchBroker broker = ScratchBroker.create();
    private final ScratchDatabase database = ScratchDatabase.create();
    private final Configuration configuration;
    private final Path tokens = Files.createTempFile("weir-bench", ".tokens");
    private final Gateway gateway;
    private final JobClient job;
    private final Scans scans = new Scans();
    private int made;
    final HttpCalls calls;

    /** @param directory for checkpoints */
    WeirQueues(Path directory) throws Exception {
        configuration = configuration(directory);
        Migrations.WEIR.apply(database.jdbcUrl(), database.user(), database.password());
        try (Connection connection = broker.connect()) {
            WeirTopology.declare(connection, configuration);
        }
        StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(1, configuration);
        QueueJob.define(env, configuration);
        job = env.executeAsync(QueueJob.NAME);
        // Before the gateway starts, which notices a later one only within a second.
        String first = token();
        gateway = Gateway.start(
                GatewayOptions.local(0, database.jdbcUrl(), database.user(), database.password(), broker.uri(), tokens)
                        .withNames(names())
                        .withLimits(MOST_REQUESTS_PER_SECOND, GatewayOptions.MAX_CONNECTIONS)
                        .build());
        calls = new HttpCalls(gateway.url().toString(), first);
        calls.put(PATH, "{\"max_items\":" + MOST_ITEMS + ",\"max_bytes\":" + MOST_BYTES + "}")
                .get(1, TimeUnit.MINUTES);
        for (String group : Scans.LIMITED) {
            calls.put("/queue-limit", "{\"group\":\"" + group + "\",\"max_in_flight\":" + Scans.LIMIT + "}")
                    .get(1, TimeUnit.MINUTES);
        }
    }

    private Configuration configuration(Path directory) {
        Configuration own = new Configuration();
        own.set(AmqpOptions.URI, broker.uri());
        AmqpOptions.NAMES.forEach(name -> own.set(name, broker.name(name.defaultValue())));
        own.set(AmqpOptions.JOBS_PREFIX, broker.name(Names.JOBS_PREFIX));
        own.set(QueueOptions.ENABLED, true);
        own.set(QueueOptions.MAX_ITEMS, MOST_ITEMS);
        own.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                directory.resolve("checkpoints").toUri().toString());
        own.set(RestOptions.BIND_PORT, "0");
        own.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(512));
        return FlinkDefaults.under(own);
    }

    private BrokerNames names() {
        return new BrokerNames(
                configuration.get(AmqpOptions.SEND_TASKS),
                configuration.get(AmqpOptions.SEND_COMMANDS),
                configuration.get(AmqpOptions.SEND_REPORTS),
                configuration.get(AmqpOptions.EVENTS),
                configuration.get(AmqpOptions.NOTICES),
                configuration.get(AmqpOptions.SEND_QUEUES),
                configuration.get(AmqpOptions.ANSWERS),
                configuration.get(AmqpOptions.JOBS_PREFIX),
                BrokerNames.Queues.DEFAULT);
    }

    private String token() throws IOException {
        String text = Token.random();
        TokenFile.put(
                tokens,
                new Token(
                        "bench-" + ++made,
                        Role.OPERATOR,
                        Token.hash(text),
                        Instant.now().plusSeconds(7200),
                        Scope.ALL));
        return text;
    }

    /** Calls with a token of their own. The gateway notices it within a second. */
    HttpCalls another() throws Exception {
        HttpCalls another = new HttpCalls(gateway.url().toString(), token());
        for (int tries = 0; ; tries++) {
            try {
                another.get(PATH).get(1, TimeUnit.MINUTES);
                return another;
            } catch (ExecutionException e) {
                if (tries == MOST_TRIES) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(200);
            }
        }
    }

    ScratchBroker broker() {
        return broker;
    }

    @Override
    public String name() {
        return "Weir";
    }

    @Override
    public synchronized void fill(long count) throws Exception {
        List<CompletableFuture<?>> underWay = new ArrayList<>();
        for (long left = count; left > 0; left -= ITEMS_IN_A_PUSH) {
            int some = (int) Math.min(left, ITEMS_IN_A_PUSH);
            underWay.add(calls.post(PATH + "/items", push(some))
                    .thenAccept(answer -> Contender.require(answer, "\"outcome\":\"created\"", some)));
            if (underWay.size() == PUSHES_UNDER_WAY) {
                underWay.remove(0).get(1, TimeUnit.MINUTES);
            }
        }
        for (CompletableFuture<?> one : underWay) {
            one.get(1, TimeUnit.MINUTES);
        }
    }

    private String push(int count) {
        StringBuilder body = new StringBuilder("{\"items\":[");
        for (int i = 0; i < count; i++) {
            Item item = scans.item();
            body.append(i == 0 ? "" : ",").append(new String(Json.write(item), StandardCharsets.UTF_8));
        }
        return body.append("]}").toString();
    }

    @Override
    public CompletableFuture<List<String>> take(int most) {
        return calls.post(PATH + "/pop", "{\"most\":" + most + ",\"wait_s\":10}")
                .thenApply(Contender::proofs);
    }

    @Override
    public CompletableFuture<?> end(List<String> proofs) {
        if (proofs.size() == 1) {
            return calls.post(PATH + "/done", done(proofs.get(0)));
        }
        return calls.post(
                        PATH + "/done",
                        proofs.stream().map(WeirQueues::done).collect(Collectors.joining(",", "{\"items\":[", "]}")))
                .thenAccept(answer -> Contender.require(answer, "\"outcome\":\"ok\"", proofs.size()));
    }

    static JsonNode read(String json) {
        try {
            return Json.mapper().readTree(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String done(String proof) {
        return "{\"token\":\"" + proof + "\",\"end\":\"finished\"}";
    }

    @Override
    public void close() throws Exception {
        gateway.close();
        job.cancel().get(1, TimeUnit.MINUTES);
        broker.close();
        database.close();
        Files.deleteIfExists(tokens);
    }
}
