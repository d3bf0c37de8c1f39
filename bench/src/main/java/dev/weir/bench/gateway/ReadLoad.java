package dev.weir.bench.gateway;

import dev.weir.gateway.access.Role;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Requests at a constant rate, whatever the answers take: the time of a request begins when it should have been sent, so that a gateway that stands
 * still cannot hide behind requests that were never sent. For one thread.
 */
final class ReadLoad implements AutoCloseable {

    /** Unanswered at once; later ones wait, and their time counts. */
    private static final int MOST_AT_ONCE = 500;

    private final List<Kind> kinds;
    private final List<Kind> mix = new ArrayList<>();
    private final Random random = new Random(2);
    private final HttpClient client = HttpClient.newHttpClient();
    private final Semaphore places = new Semaphore(MOST_AT_ONCE);
    private final LongAdder failed = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final BenchGateway gateway;
    private final String token;

    ReadLoad(LoadedMirror mirror) throws IOException {
        kinds = new ReadKinds(mirror).all();
        kinds.forEach(kind -> mix.addAll(Collections.nCopies(kind.weight(), kind)));
        gateway = new BenchGateway(mirror.database());
        token = gateway.token(Role.VIEWER);
    }

    /** Sends requests at this rate for this time, and waits for their answers. */
    void run(int perSecond, Duration time) throws InterruptedException {
        long step = TimeUnit.SECONDS.toNanos(1) / perSecond;
        long next = System.nanoTime();
        long until = next + time.toNanos();
        while (next - until < 0) {
            LockSupport.parkNanos(next - System.nanoTime());
            if (next - System.nanoTime() <= 0) {
                places.acquire();
                send(mix.get(random.nextInt(mix.size())), next);
                next += step;
            }
        }
        places.acquire(MOST_AT_ONCE);
        places.release(MOST_AT_ONCE);
    }

    private void send(Kind kind, long due) {
        HttpRequest request = HttpRequest.newBuilder(
                        gateway.url().resolve(kind.path().get()))
                .header("Authorization", "Bearer " + token)
                .build();
        var unused = client.sendAsync(request, BodyHandlers.ofByteArray()).whenComplete((answer, failure) -> {
            if (failure == null && answer.statusCode() == 200) {
                kind.times().add(System.nanoTime() - due);
                bytes.add(answer.body().length);
            } else {
                failed.increment();
            }
            places.release();
        });
    }

    void forget() {
        kinds.forEach(kind -> kind.times().clear());
        failed.reset();
        bytes.reset();
    }

    List<Kind> kinds() {
        return kinds;
    }

    Latencies all() {
        Latencies all = new Latencies();
        kinds.forEach(kind -> all.addAll(kind.times()));
        return all;
    }

    /** Requests that were answered with anything but 200, or not at all. */
    long failed() {
        return failed.sum();
    }

    /** Of all answers. */
    long bytes() {
        return bytes.sum();
    }

    @Override
    public void close() throws Exception {
        gateway.close();
    }
}
