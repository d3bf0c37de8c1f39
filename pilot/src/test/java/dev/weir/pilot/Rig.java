package dev.weir.pilot;

import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.MessageProperties;
import dev.weir.pilot.broker.BrokerSettings;
import dev.weir.pilot.run.TestJobs;
import dev.weir.protocol.Device;
import dev.weir.protocol.Json;
import dev.weir.protocol.Notice;
import dev.weir.protocol.Report;
import dev.weir.protocol.Result;
import dev.weir.protocol.Status;
import dev.weir.testing.ScratchBroker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** Plays Weir for pilots: gives jobs and notices, hears reports; its pilots reach the broker through a line that can be cut. */
final class Rig implements AutoCloseable {

    final ScratchBroker broker;
    final TestJobs jobs;
    final CuttableProxy proxy;
    final List<Report> reports = new CopyOnWriteArrayList<>();
    /** After how many milliseconds the broker would drop them, as they came; an empty text for never. */
    final List<String> expirations = new CopyOnWriteArrayList<>();

    private final Connection connection;
    private final Channel channel;
    private final List<Pilot> pilots = new ArrayList<>();
    private final List<CompletableFuture<PilotSummary>> launched = new ArrayList<>();
    private final String exchange;
    private final String reportsQueue;
    private final String notices;
    private final String jobsPrefix;

    Rig(ScratchBroker broker, Path temp) throws IOException {
        this.broker = broker;
        this.jobs = new TestJobs(temp);
        URI uri = URI.create(broker.uri());
        this.proxy = new CuttableProxy(uri.getHost(), uri.getPort() < 0 ? 5672 : uri.getPort());
        this.connection = broker.connect();
        this.channel = connection.createChannel();
        this.exchange = broker.name("weir");
        this.notices = broker.name("notices");
        this.reportsQueue = broker.name("reports");
        String cpu = broker.name("jobs.cpu");
        broker.name("jobs.gpu");
        this.jobsPrefix = cpu.substring(0, cpu.length() - "cpu".length());
    }

    /** Makes what Weir makes, but for the binding of reports. */
    Rig withQueues() throws IOException {
        channel.exchangeDeclare(exchange, BuiltinExchangeType.DIRECT, true);
        channel.exchangeDeclare(notices, BuiltinExchangeType.DIRECT, true);
        for (String queue : List.of(reportsQueue, jobsPrefix + "cpu", jobsPrefix + "gpu")) {
            channel.queueDeclare(queue, true, false, false, null);
        }
        return this;
    }

    Rig hearing() throws IOException {
        channel.queueBind(reportsQueue, exchange, "reports");
        return listening();
    }

    Rig listening() throws IOException {
        channel.basicConsume(
                reportsQueue,
                true,
                (tag, message) -> {
                    expirations.add(Objects.toString(message.getProperties().getExpiration(), ""));
                    reports.add(Json.read(message.getBody(), Report.class));
                },
                tag -> {});
        return this;
    }

    void give(String pool, Object job) throws IOException {
        byte[] body = job instanceof byte[] bytes ? bytes : Json.write(job);
        channel.basicPublish("", jobsPrefix + pool, MessageProperties.PERSISTENT_BASIC, body);
    }

    void tell(String key, Notice notice) throws IOException {
        channel.basicPublish(notices, key, null, Json.write(notice));
    }

    long waiting(String pool) throws IOException {
        return channel.messageCount(jobsPrefix + pool);
    }

    PilotSettings settings(String id, boolean declare, String... pools) {
        URI uri = URI.create(broker.uri());
        String user = uri.getUserInfo() == null ? "" : uri.getRawUserInfo() + "@";
        String url =
                "amqp://" + user + "127.0.0.1:" + proxy.port() + (uri.getRawPath() == null ? "" : uri.getRawPath());
        BrokerSettings at = new BrokerSettings(
                url,
                List.of(pools),
                jobsPrefix,
                exchange,
                "reports",
                reportsQueue,
                notices,
                declare,
                Duration.ofMillis(20),
                Duration.ofMillis(100),
                Duration.ofMinutes(5));
        return new PilotSettings(
                id,
                Device.CPU,
                jobs.work(),
                List.of(jobs.data()),
                List.of(),
                Duration.ofMillis(200),
                Duration.ZERO,
                0,
                Duration.ofSeconds(2),
                at,
                jobs.settings());
    }

    static BrokerSettings broker(PilotSettings settings) {
        return (BrokerSettings) settings.uplink();
    }

    /** Settings of a pilot that looks for its broker elsewhere. */
    PilotSettings settingsAt(String url, Duration reconnectFor) {
        PilotSettings settings = settings("p1", false, "cpu");
        BrokerSettings at = Rig.broker(settings);
        return new PilotSettings(
                "p1",
                settings.device(),
                settings.workDirectory(),
                List.of(),
                List.of(),
                settings.heartbeat(),
                Duration.ZERO,
                0,
                settings.closeWait(),
                new BrokerSettings(
                        url,
                        at.pools(),
                        at.jobsPrefix(),
                        at.exchange(),
                        at.reportsKey(),
                        at.reportsQueue(),
                        at.noticesExchange(),
                        false,
                        at.retryLeast(),
                        at.retryMost(),
                        reconnectFor),
                settings.run());
    }

    Pilot pilot(PilotSettings settings) throws IOException {
        Pilot pilot = new Pilot(settings);
        pilots.add(pilot);
        return pilot;
    }

    CompletableFuture<PilotSummary> start(Pilot pilot) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return pilot.run();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                work -> new Thread(work, "test-pilot").start());
    }

    CompletableFuture<PilotSummary> start(String id, String... pools) throws IOException {
        return start(pilot(settings(id, false, pools)));
    }

    /** As start; whether the pilot ended well is checked when the rig is closed. */
    void launch(String id, String... pools) throws IOException {
        launched.add(start(id, pools));
    }

    void launch(Pilot pilot) {
        launched.add(start(pilot));
    }

    Result result(String jobUid) {
        await().atMost(Duration.ofSeconds(30)).until(() -> !results(jobUid).isEmpty());
        return results(jobUid).get(0);
    }

    List<Result> results(String jobUid) {
        return reports.stream()
                .filter(Result.class::isInstance)
                .map(Result.class::cast)
                .filter(result -> result.jobUid().equals(jobUid))
                .toList();
    }

    boolean saw(String jobUid, Status.Phase phase) {
        return reports.stream()
                .anyMatch(report ->
                        report instanceof Status status && status.jobUid().equals(jobUid) && status.status() == phase);
    }

    @Override
    public void close() throws IOException {
        proxy.join();
        pilots.forEach(Pilot::close);
        launched.forEach(CompletableFuture::join);
        proxy.close();
        connection.close();
        broker.close();
    }
}
