package dev.weir.gateway.pilots;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.gateway.broker.BrokerAway;
import dev.weir.gateway.broker.Delivery;
import dev.weir.gateway.broker.Link;
import dev.weir.gateway.broker.Notices;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Job;
import dev.weir.protocol.Json;
import dev.weir.protocol.Notice;
import dev.weir.protocol.PopRequest;
import dev.weir.protocol.Report;
import dev.weir.protocol.ReportRequest;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves pilots without AMQP. A request takes at most one job, and none is taken ahead: while nothing is there, it waits at the broker as a
 * pilot with AMQP would, without a thread of its own. The message of a job is acknowledged when the broker has the first report of its pilot about it;
 * the job goes back to its queue when that takes too long, when its pilot asks for another one, or when this gateway ends. Safe for use from many threads.
 */
public final class PilotDesk implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PilotDesk.class);

    /** Requests that wait, and jobs that are not reported. Each has a channel, of which a broker allows a connection about 2000, and some memory. */
    static final int MOST = 1000;

    /** Requests that wait for notices only, as pilots with a job make. Each has only memory. */
    private static final int MOST_LISTEN = 10_000;

    /** Requests with reports that wait for the broker. */
    static final int MOST_REPORT = 1000;

    /** They wait for the broker's answers, a fraction of a millisecond each. */
    static final int WORKERS = 8;

    private final Link link;
    private final Notices notices;
    private final Duration startWithin;
    private final DeskMetrics metrics;
    private final Channels channels;
    private final Map<String, Seat> seats = new ConcurrentHashMap<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger listening = new AtomicInteger();
    private final AtomicInteger unreported = new AtomicInteger();
    private final ExecutorService work = Executors.newFixedThreadPool(WORKERS, PilotDesk::thread);
    /** Apart, so that no report waits behind requests for jobs, whose queue may not answer. */
    private final ExecutorService hearing = new ThreadPoolExecutor(
            WORKERS, WORKERS, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MOST_REPORT), PilotDesk::thread);

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(PilotDesk::thread);
    private volatile boolean closed;

    /** @param startWithin how long a job waits for the first report of the pilot that took it */
    public PilotDesk(Link link, Notices notices, Duration startWithin, MeterRegistry registry) {
        this.link = link;
        this.notices = notices;
        this.startWithin = startWithin;
        channels = new Channels(link);
        metrics = new DeskMetrics(registry, () -> waiting.get() + listening.get(), unreported::get);
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "gateway-pilots");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Takes a job for a pilot. Completes when there is one, when there are notices for the pilot, or when its time is over; fails with {@link BrokerAway},
     * {@link dev.weir.gateway.broker.NoSuchPool} or {@link Replaced}.
     *
     * @throws TooManyWait at once
     * @throws BrokerAway at once, when it is known
     */
    public CompletableFuture<Taken> pop(PopRequest request) {
        link.require();
        boolean listensOnly = request.queues().isEmpty();
        AtomicInteger places = listensOnly ? listening : waiting;
        int others = places.getAndIncrement() + (listensOnly ? 0 : unreported.get());
        if (others >= (listensOnly ? MOST_LISTEN : MOST)) {
            places.decrementAndGet();
            throw listensOnly ? TooManyWait.forNotices(MOST_LISTEN) : TooManyWait.forJobs(MOST);
        }
        Duration wait = Duration.ofMillis(Math.round(request.waitS() * 1000));
        Pop pop = new Pop(request.pilotId(), request.queues(), wait);
        CompletableFuture<Taken> answered = pop.answer.whenComplete((taken, failure) -> places.decrementAndGet());
        seats.compute(pop.pilot, (pilot, present) -> {
            Seat seat = present == null ? new Seat() : present;
            endSoon(seat.sit(pop));
            if (!pop.pools.isEmpty()) {
                // A pilot has one job at a time: it did not get the last answer.
                giveBackSoon(seat.giveUp());
            }
            return seat;
        });
        later(() -> begin(pop));
        if (closed) {
            pop.answer.completeExceptionally(stops());
        }
        return answered;
    }

    private static BrokerAway stops() {
        return new BrokerAway("the gateway stops; ask again", null);
    }

    private void later(Runnable step) {
        try {
            work.execute(step);
        } catch (RejectedExecutionException e) {
            LOG.debug("The gateway has ended", e);
        }
    }

    private void endSoon(Pop pop) {
        if (pop != null) {
            later(() -> end(pop));
        }
    }

    private void begin(Pop pop) {
        synchronized (pop) {
            if (pop.ended) {
                return;
            }
            try {
                link.hear(pop.pilot);
                boolean waits = notices.await(pop.pilot, () -> endSoon(pop));
                if (!waits || pop.pools.isEmpty() && pop.leftNanos() <= 0) {
                    end(pop);
                } else if (pop.pools.isEmpty()) {
                    endInTime(pop);
                } else {
                    take(pop);
                }
            } catch (RuntimeException e) {
                fail(pop, e);
            }
        }
    }

    private void endInTime(Pop pop) {
        var unused = clock.schedule(() -> endSoon(pop), Math.max(0, pop.leftNanos()), TimeUnit.NANOSECONDS);
    }

    private void take(Pop pop) {
        if (pop.channel == null) {
            pop.channel = channels.take();
        }
        for (String pool : pop.pools) {
            if (pop.isStale()) {
                break;
            }
            Delivery delivery = pop.channel.get(pool);
            if (delivery != null) {
                pop.arrived.add(delivery);
                end(pop);
                return;
            }
        }
        if (pop.leftNanos() <= 0) {
            end(pop);
            return;
        }
        pop.channel.consume(
                pop.pools,
                delivery -> {
                    pop.arrived.add(delivery);
                    endSoon(pop);
                },
                () -> endSoon(pop));
        endInTime(pop);
    }

    private void takeAgain(Pop pop) {
        synchronized (pop) {
            if (pop.ended) {
                return;
            }
            try {
                take(pop);
            } catch (RuntimeException e) {
                fail(pop, e);
            }
        }
    }

    /** Answers with what has come. */
    private void end(Pop pop) {
        synchronized (pop) {
            if (pop.ended) {
                return;
            }
            try {
                boolean again = pop.channel != null && !choose(pop);
                if (again) {
                    later(() -> takeAgain(pop));
                } else if (!pop.ended) {
                    answerWithout(pop);
                }
            } catch (RuntimeException e) {
                fail(pop, e);
            }
        }
    }

    /** Gives the pilot the first job that came; others go back. False when all that came was none. */
    private boolean choose(Pop pop) {
        pop.channel.stop();
        boolean isNone = false;
        for (Delivery delivery = pop.arrived.poll(); delivery != null; delivery = pop.arrived.poll()) {
            if (pop.ended) {
                pop.channel.giveBack(delivery.tag());
            } else {
                isNone |= !give(pop, delivery);
            }
        }
        return pop.ended || !isNone;
    }

    /** False when the message is no job. */
    private boolean give(Pop pop, Delivery delivery) {
        Job job;
        JsonNode asItCame;
        try {
            job = Json.read(delivery.body(), Job.class);
            asItCame = Json.read(delivery.body(), JsonNode.class);
        } catch (InvalidMessage e) {
            LOG.error("Dropped a message of pool {} that is not a job: {}", delivery.pool(), e.getMessage());
            pop.channel.reject(delivery.tag());
            return false;
        }
        Held held = new Held(pop.pilot, pop.channel, delivery.tag(), job.uid(), job.attempt());
        Seat seat = seats.get(pop.pilot);
        if (seat != null && seat.leaveWith(pop, held)) {
            pop.ended = true;
            unreported.incrementAndGet();
            var unused =
                    clock.schedule(() -> later(() -> tooLate(held)), startWithin.toMillis(), TimeUnit.MILLISECONDS);
            metrics.given();
            pop.answer.complete(
                    new Taken(asItCame, delivery.pool(), delivery.isRedelivered(), notices.take(pop.pilot)));
        } else {
            pop.channel.giveBack(delivery.tag());
        }
        return true;
    }

    private void answerWithout(Pop pop) {
        pop.ended = true;
        if (pop.channel != null) {
            channels.put(pop.channel);
        }
        if (leave(pop)) {
            pop.answer.complete(new Taken(null, null, null, notices.take(pop.pilot)));
        } else {
            pop.answer.completeExceptionally(new Replaced(pop.pilot));
        }
    }

    private void fail(Pop pop, RuntimeException failure) {
        pop.ended = true;
        if (pop.channel != null) {
            pop.channel.close();
        }
        leave(pop);
        pop.answer.completeExceptionally(failure);
    }

    private boolean leave(Pop pop) {
        Seat seat = seats.get(pop.pilot);
        boolean left = seat != null && seat.leave(pop);
        removeIfEmpty(pop.pilot);
        return left;
    }

    private void removeIfEmpty(String pilot) {
        seats.computeIfPresent(pilot, (id, seat) -> seat.isEmpty() ? null : seat);
    }

    private void tooLate(Held held) {
        Seat seat = seats.get(held.pilot());
        if (seat != null && seat.giveUp(held)) {
            removeIfEmpty(held.pilot());
            LOG.info(
                    "Pilot {} took job {} and did not report it within {}; the job goes back to its queue",
                    held.pilot(),
                    held.jobUid(),
                    startWithin);
            giveBack(held);
        }
    }

    private void giveBackSoon(Held held) {
        if (held != null) {
            later(() -> giveBack(held));
        }
    }

    private void giveBack(Held held) {
        metrics.returned();
        settle(held, () -> held.channel().giveBack(held.tag()));
    }

    private void settle(Held held, Runnable how) {
        try {
            how.run();
            channels.put(held.channel());
        } catch (BrokerAway e) {
            LOG.info("The connection to the broker was lost; the broker gives job {} to another pilot", held.jobUid());
        } finally {
            unreported.decrementAndGet();
        }
    }

    /**
     * Sends a pilot's reports to Weir. Completes when the broker has them all; fails with {@link BrokerAway}, and then some of them may have been
     * sent.
     */
    public CompletableFuture<Heard> report(ReportRequest request) {
        String pilot = request.pilotId();
        CompletableFuture<Void> hears;
        try {
            link.require();
            hears = CompletableFuture.runAsync(() -> link.hear(pilot), hearing);
        } catch (BrokerAway e) {
            return CompletableFuture.failedFuture(e);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(hearing.isShutdown() ? stops() : tooManyReport());
        }
        return hears.thenCompose(heard -> sendAll(request.reports())).thenApply(sent -> {
            request.reports().forEach(this::reported);
            List<Notice> forPilot = notices.take(pilot);
            return new Heard(forPilot);
        });
    }

    private static BrokerAway tooManyReport() {
        return new BrokerAway(
                MOST_REPORT + " requests with reports wait for the broker here already; nothing was sent. Ask again",
                null);
    }

    private CompletableFuture<Void> sendAll(List<Report> reports) {
        return CompletableFuture.allOf(reports.stream()
                .map(report -> link.report(UUID.randomUUID().toString(), report))
                .toArray(CompletableFuture[]::new));
    }

    /** From here on the pilot's lease rules: its job does not come back through the broker. */
    private void reported(Report report) {
        metrics.reported();
        Seat seat = seats.get(report.pilotId());
        Held held = seat == null ? null : seat.held();
        if (held != null && held.isAbout(report) && seat.giveUp(held)) {
            removeIfEmpty(held.pilot());
            later(() -> settle(held, () -> held.channel().acknowledge(held.tag())));
        }
    }

    /** Requests that wait end. Jobs that were not reported go back to their queues when the connection to the broker closes. */
    @Override
    public void close() {
        closed = true;
        for (Seat seat : List.copyOf(seats.values())) {
            Pop pop = seat.sit(null);
            if (pop != null) {
                pop.answer.completeExceptionally(stops());
            }
        }
        clock.shutdownNow();
        work.shutdownNow();
        hearing.shutdownNow();
    }
}
