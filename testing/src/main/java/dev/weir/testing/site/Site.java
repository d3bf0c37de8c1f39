package dev.weir.testing.site;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import dev.weir.protocol.Job;
import dev.weir.protocol.Json;
import dev.weir.protocol.Names;
import dev.weir.protocol.TaskEvent;
import dev.weir.protocol.TaskState;
import dev.weir.testing.ScratchBroker;
import dev.weir.testing.ScratchDatabase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Everything that a Weir of real processes needs in one test: queues of its own at a broker, a database of its own, and a directory
 * with storage, programs, logs and checkpoints. It plays WFMS, and starts Flink jobs, DSM and pilots as processes, which it stops in
 * the opposite order. Its broker and its database are real where there are any, and are shared with other tests: a test must not
 * stop them. Safe for use from many threads, except for starting and closing.
 */
public final class Site implements AutoCloseable {

    private static final Map<String, String> NAMES = Map.ofEntries(
            Map.entry("exchange", Names.EXCHANGE),
            Map.entry("exchange.tasks", Names.SEND_TASKS),
            Map.entry("exchange.commands", Names.SEND_COMMANDS),
            Map.entry("exchange.reports", Names.SEND_REPORTS),
            Map.entry("exchange.rejected", Names.SEND_REJECTED),
            Map.entry("queue.tasks", Names.TASKS),
            Map.entry("queue.commands", Names.COMMANDS),
            Map.entry("queue.reports", Names.REPORTS),
            Map.entry("queue.pages", Names.PAGES),
            Map.entry("queue.mirror", Names.MIRROR),
            Map.entry("queue.rejected", Names.REJECTED),
            Map.entry("queue.dsm-register", Names.DSM_REGISTER),
            Map.entry("exchange.notices", Names.NOTICES),
            Map.entry("exchange.events", Names.EVENTS),
            Map.entry("exchange.queues", Names.SEND_QUEUES),
            Map.entry("queue.items", Names.ITEMS),
            Map.entry("queue.done", Names.DONE),
            Map.entry("queue.asks", Names.ASKS),
            Map.entry("exchange.answers", Names.ANSWERS));

    private final Path directory;
    private final ScratchBroker broker;
    private final ScratchDatabase database;
    private final Map<String, String> settings = new TreeMap<>();
    private final Deque<WeirProcess> processes = new ArrayDeque<>();
    private final List<TaskEvent> events = new CopyOnWriteArrayList<>();
    private final HttpClient http = HttpClient.newHttpClient();
    private final int dsmPort = freePort();
    private final int gatewayPort = freePort();
    /** For the gateway. */
    private final String token = UUID.randomUUID().toString();

    private final String operatorToken = UUID.randomUUID().toString();

    private final Connection connection;
    private final Channel channel;

    /** @param directory for all files; kept when it is closed */
    public Site(Path directory) throws IOException, SQLException {
        this(directory, ScratchBroker.create(), ScratchDatabase.create());
    }

    /** With a broker and a database that may be of its own, and then may be stopped; it closes both. */
    public Site(Path directory, ScratchBroker broker, ScratchDatabase database) throws IOException {
        this.broker = broker;
        this.database = database;
        this.directory = directory.toRealPath();
        Files.createDirectories(storage());
        Files.createDirectories(programs());
        NAMES.forEach((option, name) -> settings.put("weir.amqp." + option, broker.name(name)));
        String cpu = broker.name(Names.jobs(Names.CPU_POOL));
        broker.name(Names.jobs(Names.GPU_POOL));
        settings.put("weir.amqp.queue.jobs-prefix", cpu.substring(0, cpu.length() - Names.CPU_POOL.length()));
        settings.put("weir.amqp.uri", broker.uri());
        settings.put("weir.dsm.url", dsmUrl());
        settings.put("weir.postgres.url", database.jdbcUrl());
        settings.put("weir.postgres.user", database.user());
        settings.put("weir.postgres.password", database.password());
        connection = broker.connect();
        channel = connection.createChannel();
        channel.queueDeclare(queue("tasks"), true, false, false, null);
        channel.queueDeclare(queue("commands"), true, false, false, null);
        channel.exchangeDeclare(setting("weir.amqp.exchange.events"), BuiltinExchangeType.TOPIC, true);
        String seen = broker.name("events.seen");
        channel.queueDeclare(seen, true, false, false, null);
        channel.queueBind(seen, setting("weir.amqp.exchange.events"), "task.*");
        channel.basicConsume(
                seen, true, (tag, message) -> events.add(Json.read(message.getBody(), TaskEvent.class)), tag -> {});
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Below it pilots may read and write. */
    public Path storage() {
        return directory.resolve("storage");
    }

    /** Where the programs of jobs are. */
    public Path programs() {
        return directory.resolve("programs");
    }

    /** Adds a shell script that jobs may run. */
    public void program(String name, String script) throws IOException {
        Path file = Files.writeString(programs().resolve(name), "#!/bin/sh\n" + script + "\n");
        if (!file.toFile().setExecutable(true)) {
            throw new IOException(file + " cannot be made executable");
        }
    }

    public ScratchBroker broker() {
        return broker;
    }

    public ScratchDatabase database() {
        return database;
    }

    /** Sets an option of Weir or Flink for the next {@link #configuration}. */
    public Site with(String option, Object value) {
        settings.put(option, String.valueOf(value));
        return this;
    }

    /** What an option is set to; the names of queues and exchanges are. */
    public String setting(String option) {
        return settings.get(option);
    }

    /** The full name of the queue that the option {@code weir.amqp.queue.NAME} names. */
    public String queue(String name) {
        return setting("weir.amqp.queue." + name);
    }

    /** The full name of a pool's queue. */
    public String jobsQueue(String pool) {
        return queue("jobs-prefix") + pool;
    }

    /** Writes the settings as {@code weir.yaml}. */
    public Path configuration() throws IOException {
        return Files.write(
                directory.resolve("weir.yaml"),
                settings.entrySet().stream()
                        .map(entry -> entry.getKey() + ": '" + entry.getValue().replace("'", "''") + "'")
                        .toList());
    }

    /** Starts {@code ./weir run} and waits until its jobs run. A further start continues from the newest checkpoint. */
    public WeirProcess run(String... jvm) throws IOException, InterruptedException {
        List<String> arguments = List.of(
                "run",
                "--config",
                configuration().toString(),
                "--data",
                directory.resolve("run").toString());
        return start("run", List.of(jvm), WeirProcess.WEIR, arguments, "").awaitOutput("Weir runs.");
    }

    /** Starts {@code ./weir dsm} at {@link #dsmUrl} and waits until it answers. */
    public WeirProcess dsm(String... more) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(
                "dsm",
                "--json",
                "--port=" + dsmPort,
                "--postgres-url=" + database.jdbcUrl(),
                "--postgres-user=" + database.user(),
                "--amqp=" + broker.uri(),
                "--queue=" + queue("dsm-register"),
                "--rejected-queue=" + queue("rejected"),
                "--rejected-exchange=" + setting("weir.amqp.exchange.rejected"),
                "--allow=" + directory));
        arguments.addAll(List.of(more));
        return start("dsm", List.of("-Xmx512m"), WeirProcess.WEIR, arguments, "")
                .awaitOutput("{\"dsm\"");
    }

    /** Starts {@code ./weir gateway} on a port that stays the same, with a token for pilots and one for an operator, and waits until it answers. */
    public WeirProcess gateway() throws IOException, InterruptedException {
        Path tokens = Files.writeString(directory.resolve("tokens"), """
                {"name":"site","role":"pilot","sha256":"%1$s","expires":"%2$s","scope":{"pilots":["*"]}}
                {"name":"operator","role":"operator","sha256":"%3$s","expires":"%2$s"}
                """.formatted(
                        sha256(token), Instant.now().plus(Duration.ofDays(1)), sha256(operatorToken)));
        with("weir.gateway.port", gatewayPort)
                .with("weir.gateway.tokens-file", tokens)
                .with("weir.gateway.audit-file", directory.resolve("audit.jsonl"));
        List<String> jvm = List.of("-Xmx256m", "-XX:TieredStopAtLevel=1");
        List<String> arguments =
                List.of("gateway", "--json", "--config", configuration().toString());
        return start("gateway", jvm, WeirProcess.WEIR, arguments, "").awaitOutput("{\"gateway\"");
    }

    public String gatewayUrl() {
        return "http://127.0.0.1:" + gatewayPort;
    }

    /** What may do all at the {@link #gateway}. */
    public String operatorToken() {
        return operatorToken;
    }

    private static String sha256(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Starts a pilot of the pool {@code cpu} that sends heartbeats twice a second; more options may follow. */
    public WeirProcess pilot(String id, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "--amqp-file=-",
                "--jobs-prefix=" + queue("jobs-prefix"),
                "--exchange=" + setting("weir.amqp.exchange.reports"),
                "--notices=" + setting("weir.amqp.exchange.notices")));
        arguments.addAll(List.of(more));
        return startPilot(id, arguments, broker.uri());
    }

    /** Starts a pilot that reaches Weir by the {@link #gateway} only, otherwise as {@link #pilot}. */
    public WeirProcess httpPilot(String id, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("--gateway=" + gatewayUrl(), "--token-file=-"));
        arguments.addAll(List.of(more));
        return startPilot(id, arguments, token);
    }

    private WeirProcess startPilot(String id, List<String> more, String secret) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "--id=" + id,
                "--executables=" + programs(),
                "--storage-root=" + storage(),
                "--work-dir=" + directory.resolve("pilots"),
                "--parent=" + ProcessHandle.current().pid(),
                "--heartbeat=500ms",
                "--min-free-disk=0"));
        arguments.addAll(more);
        List<String> jvm = List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
        return start(id, jvm, WeirProcess.PILOT, arguments, secret + "\n");
    }

    /** Starts any of Weir's programs; it is stopped when this is closed. */
    public WeirProcess start(String name, List<String> jvm, String main, List<String> arguments, String input)
            throws IOException {
        WeirProcess process = WeirProcess.start(directory.resolve("logs"), name, jvm, main, arguments, input);
        processes.push(process);
        return process;
    }

    public String dsmUrl() {
        return "http://127.0.0.1:" + dsmPort;
    }

    /** The answer of DSM to a GET. */
    public HttpResponse<String> askDsm(String path) throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(URI.create(dsmUrl() + path)).build(), BodyHandlers.ofString());
    }

    /** Makes a dataset of files that are elsewhere: their names, below one URL. */
    public void dataset(String uid, String url, List<String> names) throws IOException, InterruptedException {
        dataset(
                uid,
                names.stream()
                        .map(name -> "{\"name\":\"%s\",\"storage_url\":\"%s\"}".formatted(name, url))
                        .toList());
    }

    /** Makes a dataset of these files, each as JSON. */
    public void dataset(String uid, List<String> files) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(dsmUrl() + "/dataset"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(
                        "{\"uid\":\"" + uid + "\",\"files\":[" + String.join(",", files) + "]}"))
                .build();
        HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
        if (answer.statusCode() != 201) {
            throw new IOException("DSM refused dataset " + uid + ": " + answer.body());
        }
    }

    /** Sends a task: {@code dataset} to {@code uid.out}, a Map on CPU. {@code more} is further fields, each with a comma before it. */
    public void task(String uid, String dataset, String program, String storageUrl, String more) throws IOException {
        send("tasks", """
                {"uid":"%s","executable":"%s","device_type":"CPU","mode":"Map","dat_in_uid":"%s","dat_out_uid":"%s.out",
                 "dat_stor_url":"%s","dat_out_url":"%s"%s}""".formatted(uid, program, dataset, uid, storageUrl, uid, more));
    }

    /** Sends a message to the queue that the option {@code weir.amqp.queue.NAME} names. */
    public synchronized void send(String name, String json) throws IOException {
        channel.basicPublish(
                "", queue(name), MessageProperties.PERSISTENT_BASIC, json.getBytes(StandardCharsets.UTF_8));
    }

    /** Takes the next job of a pool's queue; null when there is none. */
    public synchronized Job takeJob(String pool) throws IOException {
        GetResponse next = channel.basicGet(jobsQueue(pool), true);
        return next == null ? null : Json.read(next.getBody(), Job.class);
    }

    /** Takes what was rejected since the last call, with the reasons. */
    public synchronized List<String> takeRejected() throws IOException {
        List<String> rejected = new ArrayList<>();
        for (GetResponse next = channel.basicGet(queue("rejected"), true);
                next != null;
                next = channel.basicGet(queue("rejected"), true)) {
            rejected.add(new String(next.getBody(), StandardCharsets.UTF_8));
        }
        return rejected;
    }

    /** All events of a task so far, without repetitions. */
    public List<TaskEvent> events(String task) {
        return events.stream()
                .filter(event -> event.taskUid().equals(task))
                .distinct()
                .toList();
    }

    /** Whether the task has had an event with this state. */
    public boolean was(TaskState state, String task) {
        return events(task).stream().anyMatch(event -> event.state() == state);
    }

    @Override
    public void close() throws IOException, SQLException, InterruptedException {
        while (!processes.isEmpty()) {
            processes.pop().close();
        }
        // It has gone if the broker was stopped meanwhile.
        connection.abort();
        broker.close();
        database.close();
    }
}
