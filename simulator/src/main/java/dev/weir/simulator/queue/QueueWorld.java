package dev.weir.simulator.queue;

import dev.weir.engine.store.HeapStore;
import dev.weir.protocol.queue.QueueBeat;
import dev.weir.protocol.queue.QueueEntry;
import dev.weir.protocol.queue.QueueEntry.Action;
import dev.weir.protocol.queue.QueueEntry.Pop;
import dev.weir.protocol.queue.QueueRequest;
import dev.weir.protocol.queue.QueueSettings;
import dev.weir.protocol.queue.ShownItem;
import dev.weir.protocol.queue.ShownItem.State;
import dev.weir.queues.Queues;
import dev.weir.queues.api.Effect;
import dev.weir.queues.api.Event;
import dev.weir.queues.options.QueuesOptions;
import dev.weir.queues.state.RestRecord;
import dev.weir.queues.state.Tables;
import dev.weir.simulator.invariant.Violation;
import dev.weir.simulator.scenario.Rand;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Gateways, workers and a broker around the queues, drawn from a seed. The broker gives pushes and dones again after a crash; pops are
 * lost. Workers die, are slow, and speak about leases that have ended; beats are late or lost; the clock is set back.
 */
final class QueueWorld {

    private static final String GATEWAY = "g";
    private static final String READER = "r";
    private static final int VERIFIED = 50;
    private static final int SHOWN = 25;
    private static final int MOST_TICKS = 20;
    private static final long STEP_BACK = 60_000;

    private final Rand rand;
    /** Whether workers hold groups here. */
    private final boolean holds;
    /** Whether pushes here meet items that have expired. */
    private final boolean meetsExpired;

    final QueueDraw draw;
    private final RestDraw restDraw;
    private final QueuesOptions options;
    private final Consumer<String> trace;
    final QueueJudge judge;
    private HeapStore store = new HeapStore();
    private Queues queues;
    private int starts;

    private HeapStore checkpoint;
    private NaiveQueues naiveCheckpoint;
    private final Unread unread = new Unread();

    private long clock = 1_700_000_000_000L;
    private long entries;
    private final Deque<Long> beats = new ArrayDeque<>();
    private boolean beatsAreLost;
    private long events;
    /** Keys of which an item could expire. */
    private final Set<String> expiring = new HashSet<>();
    /**
     * Keys that were asked for since the last checkpoint, because a question does not come again after a crash; and those whose answer was to be refreshed
     * then, because new settings may come before that.
     */
    private final Set<String> asked = new HashSet<>();

    QueueWorld(long seed, Consumer<String> trace) {
        rand = Rand.of(seed, "queues");
        holds = Rand.of(seed, "holds").chance(0.25);
        meetsExpired = Rand.of(seed, "late").chance(0.25);
        draw = new QueueDraw(rand);
        restDraw = new RestDraw(seed);
        this.trace = trace;
        options = draw.options();
        String start = start();
        judge = new QueueJudge(options, new NaiveQueues(options.beatInterval().toMillis(), start));
        tick();
        store();
        QueueDraw.QUEUES.forEach(queue -> send(new QueueEntry.Configure(next(), queue, settings())));
        boolean mayForgetQueues = Rand.of(seed, "forgets").chance(0.3);
        if (!mayForgetQueues) {
            store();
        }
    }

    long events() {
        return events;
    }

    long clock() {
        return clock;
    }

    long next() {
        return ++entries;
    }

    private String start() {
        String start = "r" + starts++;
        queues = new Queues(options, text -> Integer.toHexString(("s" + text).hashCode()), List.of(), start, store);
        return start;
    }

    private void store() {
        checkpoint = store.snapshot();
        naiveCheckpoint = judge.naive.copy();
        unread.clear();
        asked.clear();
        judge.naive
                .queues
                .values()
                .forEach(queue -> queue.rests.refreshing().forEach(key -> asked.add(queue.name + '/' + key)));
    }

    void step() {
        if (meetsExpired && rand.chance(0.05)) {
            meetExpired();
        }
        int what = rand.between(0, 99);
        if (what < 30) {
            QueueEntry.Push push = draw.push(next(), clock);
            if (restDraw.asks() && rand.chance(0.5)) {
                send(restDraw.ask(push.n(), push));
            } else {
                send(restDraw.ranks() && rand.chance(0.3) ? restDraw.score(push.n(), push) : restDraw.push(push));
            }
        } else if (what < 55) {
            send(draw.pop(next()));
        } else if (what < 75) {
            speakOfALease();
        } else if (what < 85) {
            pass(restDraw.passing(rand.chance(0.5) ? rand.between(1, 3_000) : rand.between(1, 12_000)));
        } else if (what < 88) {
            store();
        } else if (what < 90) {
            crash();
        } else {
            operate();
        }
    }

    /** A push comes when the item of its key expires, and the timer of that later. */
    private void meetExpired() {
        NaiveQueue queue = judge.naive.queues.get(QueueDraw.QUEUES.get(0));
        NaiveItem item = queue.firstToExpire();
        long at = item == null ? 0 : item.wanted.expiresAt();
        if (at > clock) {
            pass((int) (at - 1 - clock));
            if (queue.firstToExpire() == item) {
                clock = at;
                judge.naive.advance(clock);
                sendBeforeTick(restDraw.push(draw.about(next(), queue, item, clock)));
            }
        }
    }

    private void speakOfALease() {
        if (!judge.leases.isEmpty()) {
            send(draw.ofALease(next(), judge, holds, restDraw, clock));
        }
    }

    private void operate() {
        switch (rand.between(0, 11)) {
            case 0, 1 -> send(new QueueEntry.Remove(next(), draw.queue(), draw.key()));
            case 2 ->
                send(new QueueEntry.QueueAction(next(), draw.queue(), rand.chance(0.3) ? Action.PURGE : Action.PAUSE));
            case 3, 4 ->
                QueueDraw.QUEUES.forEach(queue -> send(new QueueEntry.QueueAction(next(), queue, Action.RESUME)));
            case 5 -> send(draw.owner(next()));
            case 6, 7 -> send(draw.limit(next()));
            case 8 -> send(new QueueEntry.Redrive(next(), draw.queue(), rand.between(1, 4)));
            case 9 -> send(new QueueEntry.Configure(next(), draw.queue(), settings()));
            case 10 -> beatsAreLost = rand.chance(0.3);
            default -> setClockBack();
        }
    }

    private void setClockBack() {
        apply(new Event.Tick(), false);
        clock -= rand.chance(0.7) ? rand.between(1, 30_000) : rand.between(STEP_BACK, 2 * STEP_BACK);
        say("the clock goes back");
        if (clock < judge.naive.now() - STEP_BACK) {
            // That counts as a restart: whoever waits hears nothing.
            judge.judgeBy(judge.naive);
            judge.naive.restart(judge.naive.start, clock);
        }
        apply(new Event.Tick(), false);
        tick();
    }

    /** So many milliseconds pass; sometimes nothing happens until their end. */
    void pass(int millis) {
        long until = clock + millis;
        boolean lags = rand.chance(0.1);
        while (!lags) {
            long at = Math.min(queues.nextDeadlineMillis(), beats.isEmpty() ? Long.MAX_VALUE : beats.peek());
            if (at > until) {
                break;
            }
            clock = Math.max(clock, at);
            beat();
            tick();
        }
        clock = until;
        beat();
        tick();
    }

    private void beat() {
        while (!beats.isEmpty() && beats.peek() <= clock) {
            beats.poll();
            tick();
            judge.naive.heard();
            apply(new Event.BeatArrived(new QueueBeat(Instant.ofEpochMilli(clock))), false);
        }
    }

    /** What is due happens. */
    private void tick() {
        judge.naive.advance(clock);
        for (int ticks = 0; isDue(); ticks++) {
            Violation.check(ticks < MOST_TICKS, "no deadline stays due", queues.nextDeadlineMillis());
            apply(new Event.Tick(), false);
        }
        judge.isPast(clock);
    }

    /** Its time stands still while the clock is behind. */
    private boolean isDue() {
        return queues.nextDeadlineMillis() <= Math.max(clock, judge.naive.now());
    }

    private void crash() {
        say("crash");
        Lasting before = new Lasting(judge.naive, expiring, asked);
        store = checkpoint.snapshot();
        judge.judgeBy(naiveCheckpoint.copy());
        judge.naive.restart(start(), clock);
        tick();
        for (QueueEntry entry : unread.inTurns(rand)) {
            tick();
            judge.asks(entry);
            apply(new Event.Requested(new QueueRequest(GATEWAY, List.of(entry)), true), true);
        }
        tick();
        before.check(judge, unread.all());
    }

    private QueueSettings settings() {
        return restDraw.settings(draw.settings());
    }

    /** What the core keeps of a key that rests; null for nothing. */
    private RestRecord rest(String queue, String key) {
        RestRecord rest = store.get(Tables.REST, Tables.key(queue, key));
        return rest == null || rest.isOver() ? null : rest;
    }

    void send(QueueEntry entry) {
        tick();
        sendBeforeTick(entry);
    }

    private void sendBeforeTick(QueueEntry entry) {
        if (!(entry instanceof Pop) && !(entry instanceof QueueEntry.Answer)) {
            unread.add(entry);
        }
        if (entry instanceof QueueEntry.Push push && push.item().expiresAt() != null) {
            expiring.add(push.queue() + '/' + push.item().key());
        } else if (entry instanceof QueueEntry.Answer ask) {
            (ask.item().expiresAt() == null ? asked : expiring)
                    .add(ask.queue() + '/' + ask.item().key());
        }
        judge.asks(entry);
        apply(new Event.Requested(new QueueRequest(GATEWAY, List.of(entry)), false), false);
        tick();
    }

    private void apply(Event event, boolean again) {
        events++;
        say(event);
        List<Effect> effects = queues.apply(event, clock);
        if (!(event instanceof Event.Requested)) {
            judge.naive.advance(clock);
            judge.naive.follow(this::rest);
        }
        judge.begins(effects);
        for (Effect effect : effects) {
            say(effect);
            if (effect instanceof Effect.Answer answer) {
                judge.answered(answer.answer(), again);
            } else if (effect instanceof Effect.AnnounceLow announced) {
                judge.isLow(announced.queue());
            } else if (!beatsAreLost) {
                beats.add(clock + (rand.chance(0.8) ? 0 : rand.between(1, 2_000)));
            }
        }
        judge.naive.queues.values().stream()
                .filter(queue -> !queue.doubtful().isEmpty())
                .forEach(this::resolve);
        judge.ended();
        judge.naive.follow(this::rest);
        if (!isDue()) {
            // What has expired is dropped when a pop finds it, or at the next tick.
            judge.naive.advance(clock);
            judge.settled(queues.views());
        }
        if (events % VERIFIED == 0) {
            verify();
        }
        if (events % SHOWN == 0 && !isDue()) {
            showAll();
        }
    }

    private void verify() {
        try {
            queues.verify();
        } catch (IllegalStateException e) {
            throw new Violation("memory equals state", e.getMessage(), e);
        }
    }

    private void resolve(NaiveQueue queue) {
        Set<String> kept = new HashSet<>();
        for (NaiveItem item : queue.doubtful()) {
            ShownItem shown = show(queue, item.key);
            if (shown != null && shown.state() == State.DEAD) {
                kept.add(item.key);
            }
        }
        queue.resolve(kept, judge.naive.now());
    }

    private void showAll() {
        judge.naive
                .queues
                .values()
                .forEach(queue -> draw.keys().forEach(key -> judge.compare(queue, key, show(queue, key))));
    }

    private ShownItem show(NaiveQueue queue, String key) {
        QueueEntry show = new QueueEntry.Show(0, queue.name, key, 0);
        for (Effect effect : queues.apply(new Event.Requested(new QueueRequest(READER, List.of(show)), false), clock)) {
            if (effect instanceof Effect.Answer answer && answer.gateway().equals(READER)) {
                return answer.answer().shown() == null
                        ? null
                        : answer.answer().shown().get(0);
            }
        }
        throw new Violation("a show is answered at once", key);
    }

    private void say(Object what) {
        if (trace != null) {
            trace.accept(String.format("%.3f %s", clock / 1_000.0, what));
        }
    }

    /** Nothing fails any more: beats come back, queues give, groups have room. */
    void heal() {
        beatsAreLost = false;
        QueueDraw.QUEUES.forEach(queue -> send(new QueueEntry.QueueAction(next(), queue, Action.RESUME)));
        QueueDraw.GROUPS.forEach(group -> send(new QueueEntry.SetLimit(next(), group, 1, null, null)));
    }

    /** Takes and finishes one item of a queue; returns its owner, null when the queue has nothing to give. */
    String takeOne(String queue) {
        long before = judge.popped;
        send(new Pop(next(), queue, List.of(), 1, 0));
        if (judge.popped == before) {
            return null;
        }
        send(QueueDraw.finished(next(), judge.newest));
        return judge.newestOwner;
    }
}
