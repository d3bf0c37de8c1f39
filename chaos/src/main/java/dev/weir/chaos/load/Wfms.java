package dev.weir.chaos.load;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.MessageProperties;
import dev.weir.chaos.judge.ExpectedTask;
import dev.weir.protocol.Json;
import dev.weir.protocol.TaskEvent;
import dev.weir.testing.site.Site;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Keeps a number of tasks open, in spite of all: it connects again, sends again what nobody confirmed, and misses no event, which it
 * acknowledges once it has it. One thread.
 */
public final class Wfms implements AutoCloseable {

    private static final long LOOK_MILLIS = 100;
    private static final int CONFIRM_MILLIS = 10_000;
    private static final int ABORT_MILLIS = 1_000;
    private static final long SEND_AGAIN_NANOS = Duration.ofSeconds(20).toNanos();

    private final Site site;
    private final List<Flock> flocks;
    private final Consumer<byte[]> heard;
    private final String seenQueue;
    private final Map<String, Map<String, TaskEvent>> events = new ConcurrentHashMap<>();
    private final Map<String, Sent> sent = new LinkedHashMap<>();
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread = new Thread(this::live, "wfms");
    private volatile boolean finishing;
    private volatile String lastTrouble = "";

    /** The nth task of a flock, and when it was sent last. */
    private record Sent(Flock flock, int nth, ExpectedTask expected, long nanos) {}

    /** @param heard is told each task that it sends */
    public Wfms(Site site, List<Flock> flocks, Consumer<byte[]> heard) throws IOException {
        this.site = site;
        this.flocks = List.copyOf(flocks);
        this.heard = heard;
        this.seenQueue = site.broker().name("chaos.events");
        try (Connection connection = site.broker().connect()) {
            declare(connection.createChannel());
        } catch (IOException e) {
            throw new IOException("the queue for events cannot be made", e);
        }
        thread.setDaemon(true);
        thread.start();
    }

    private void declare(Channel channel) throws IOException {
        String exchange = site.setting("weir.amqp.exchange.events");
        channel.exchangeDeclare(exchange, BuiltinExchangeType.TOPIC, true);
        channel.queueDeclare(seenQueue, true, false, false, null);
        channel.queueBind(seenQueue, exchange, "task.*");
    }

    /** Sends no further task. */
    public void finish() {
        finishing = true;
    }

    /** All tasks that were sent. */
    public List<ExpectedTask> tasks() {
        synchronized (sent) {
            return sent.values().stream().map(Sent::expected).toList();
        }
    }

    /** All events of a task, without repetitions of one id. */
    public List<TaskEvent> events(String task) {
        return List.copyOf(events.getOrDefault(task, Map.of()).values());
    }

    /** How many tasks have no final event yet. */
    public long open() {
        return tasks().stream().filter(task -> !isOver(task.uid())).count();
    }

    /** The last thing that went wrong for it; empty if nothing did. */
    public String lastTrouble() {
        return lastTrouble;
    }

    private boolean isOver(String task) {
        return events(task).stream().anyMatch(event -> event.state().isTerminal());
    }

    private void live() {
        boolean stopped = false;
        while (!stopped) {
            Connection connection = null;
            try {
                connection = site.broker().connect();
                work(connection);
                stopped = true;
            } catch (IOException | TimeoutException | RuntimeException e) {
                lastTrouble = String.valueOf(e.getMessage());
            } catch (InterruptedException e) {
                stopped = true;
            } finally {
                if (connection != null) {
                    connection.abort(ABORT_MILLIS);
                }
            }
            stopped |= isStoppedAfterMoment();
        }
    }

    private boolean isStoppedAfterMoment() {
        try {
            return stop.await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return true;
        }
    }

    private void work(Connection connection) throws IOException, InterruptedException, TimeoutException {
        Channel reading = connection.createChannel();
        declare(reading);
        reading.basicConsume(
                seenQueue,
                false,
                (tag, message) -> {
                    TaskEvent event = Json.read(message.getBody(), TaskEvent.class);
                    events.computeIfAbsent(event.taskUid(), task -> new ConcurrentHashMap<>())
                            .put(event.id(), event);
                    reading.basicAck(message.getEnvelope().getDeliveryTag(), false);
                },
                tag -> {});
        Channel sending = connection.createChannel();
        sending.confirmSelect();
        while (!stop.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
            if (!connection.isOpen()) {
                throw new IOException("the connection is closed");
            }
            keepOpen(sending);
        }
    }

    private void keepOpen(Channel channel) throws IOException, InterruptedException, TimeoutException {
        for (Sent one : new ArrayList<>(sent.values())) {
            boolean unknown = events(one.expected().uid()).isEmpty();
            if (unknown && System.nanoTime() - one.nanos() > SEND_AGAIN_NANOS) {
                send(channel, one.flock(), one.nth());
            }
        }
        for (Flock flock : flocks) {
            List<String> all = tasks().stream()
                    .map(ExpectedTask::uid)
                    .filter(uid -> uid.startsWith(flock.name()))
                    .toList();
            long open = all.stream().filter(uid -> !isOver(uid)).count();
            if (!finishing && open < flock.open()) {
                makeDataset(flock, all.size());
                send(channel, flock, all.size());
            }
        }
    }

    /** One that is there already was made by an earlier try whose answer was lost. */
    private void makeDataset(Flock flock, int nth) throws IOException, InterruptedException {
        String uid = flock.uid(nth);
        if (site.askDsm("/dataset/" + uid + "?limit=1").statusCode() != 200) {
            site.dataset(uid, flock.url(), flock.filesOf(nth));
        }
    }

    private void send(Channel channel, Flock flock, int nth)
            throws IOException, InterruptedException, TimeoutException {
        String uid = flock.uid(nth);
        String task = """
                {"uid":"%s","executable":"picky","args":"{file_in} {attempt}","device_type":"%s","mode":"Map","retry":%d,
                 "dat_in_uid":"%s","dat_out_uid":"%s.out","dat_stor_url":"%s","dat_out_url":"%s"}""".formatted(uid, flock.device(), Flock.RETRIES, uid, uid, flock.storageUrl(), uid);
        // Before it is sent: Weir may have it although the confirm is lost.
        synchronized (sent) {
            sent.put(uid, new Sent(flock, nth, flock.expected(nth), System.nanoTime()));
        }
        byte[] body = task.getBytes(StandardCharsets.UTF_8);
        channel.basicPublish("", site.queue("tasks"), MessageProperties.PERSISTENT_BASIC, body);
        channel.waitForConfirmsOrDie(CONFIRM_MILLIS);
        heard.accept(body);
    }

    /** Ends its thread, within half a minute. */
    @Override
    public void close() throws InterruptedException {
        stop.countDown();
        thread.join(CONFIRM_MILLIS);
        thread.interrupt();
        thread.join(CONFIRM_MILLIS);
    }
}
