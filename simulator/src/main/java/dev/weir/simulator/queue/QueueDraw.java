package dev.weir.simulator.queue;

import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.Payload;
import dev.weir.protocol.queue.QueueEntry;
import dev.weir.protocol.queue.QueueEntry.End;
import dev.weir.protocol.queue.QueueEntry.Pop;
import dev.weir.protocol.queue.QueueEntry.Push;
import dev.weir.protocol.queue.QueueEntry.SetLimit;
import dev.weir.protocol.queue.QueueEntry.SetOwner;
import dev.weir.protocol.queue.QueueSettings;
import dev.weir.queues.options.QueuesOptions;
import dev.weir.simulator.scenario.Rand;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** What gateways ask: few keys, owners, kinds and groups, so that they meet. */
final class QueueDraw {

    static final List<String> QUEUES = List.of("scans", "checks");
    static final List<String> GROUPS = List.of("g1", "g2", "g3");
    private static final List<String> OWNERS = List.of("a", "b", "c");
    private static final List<String> KINDS = List.of("x", "y");
    private static final long LEAST_BYTES = 1 << 20;
    private static final int MOST_KEYS = 30;
    private static final int MANY = 1_000_000;

    private final Rand rand;
    private final int keys;
    private final boolean hasLargePayloads;
    private final double groupChance;

    QueueDraw(Rand rand) {
        this.rand = rand;
        hasLargePayloads = rand.chance(0.02);
        keys = hasLargePayloads ? MOST_KEYS : rand.between(3, MOST_KEYS);
        groupChance = rand.oneOf(0.0, 0.1, 0.3);
    }

    QueuesOptions options() {
        return QueuesOptions.defaults()
                .withMaxLeased(rand.chance(0.2) ? rand.between(2, 8) : MANY)
                .withMaxAsks(rand.chance(0.2) ? rand.between(1, 4) : MANY);
    }

    QueueSettings settings() {
        int leaseS = rand.between(3, 15);
        int backOffS = rand.between(0, 5);
        return new QueueSettings(
                hasLargePayloads ? MOST_KEYS : rand.between(4, 25),
                hasLargePayloads ? LEAST_BYTES : null,
                rand.chance(0.3) && !hasLargePayloads ? rand.between(2, 8) : null,
                rand.oneOf(0.0, 0.1, 0.3),
                leaseS,
                leaseS + rand.between(0, 25),
                rand.between(1, 4),
                rand.between(1, 3),
                rand.between(1, 4),
                backOffS,
                backOffS + rand.between(0, 15),
                rand.between(0, 6),
                rand.between(20, 600),
                rand.chance(0.5) ? rand.between(1, 8) : null,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    String queue() {
        return rand.chance(0.8) ? QUEUES.get(0) : QUEUES.get(1);
    }

    String key() {
        return "k" + rand.between(0, keys - 1);
    }

    /** All that there can be. */
    List<String> keys() {
        return IntStream.range(0, keys).mapToObj(i -> "k" + i).toList();
    }

    Push push(long n, long now) {
        List<String> groups = new ArrayList<>();
        for (String group : GROUPS) {
            if (rand.chance(groupChance)) {
                groups.add(group);
            }
        }
        String key = key();
        // A key that is there has one kind.
        String kind = rand.chance(0.9) ? KINDS.get(key.hashCode() & 1) : rand.pick(KINDS);
        int length = hasLargePayloads ? rand.between(62_000, 65_000) : rand.between(0, 9);
        return new Push(
                n,
                queue(),
                new Item(
                        key,
                        kind,
                        rand.pick(OWNERS),
                        rand.between(1, 4),
                        new Payload('"' + "p".repeat(length) + '"'),
                        groups,
                        rand.chance(0.12) ? Instant.ofEpochMilli(now + rand.between(0, 20_000)) : null,
                        rand.chance(0.05) ? Instant.ofEpochMilli(now + rand.between(1, 30_000)) : null,
                        null,
                        null,
                        rand.oneOf(Item.IfPresent.values())));
    }

    /** A push about an item that is there. */
    Push about(long n, NaiveQueue queue, NaiveItem item, long now) {
        Item any = push(n, now).item();
        return new Push(
                n,
                queue.name,
                new Item(
                        item.key,
                        item.kind(),
                        any.owner(),
                        any.priority(),
                        any.payload(),
                        any.groups(),
                        any.notBefore(),
                        any.expiresAt(),
                        null,
                        null,
                        any.ifPresent()));
    }

    Pop pop(long n) {
        List<String> kinds = rand.chance(0.5) ? List.of() : List.of(rand.pick(KINDS));
        int most = rand.chance(0.6) ? 1 : rand.between(2, 4);
        return new Pop(n, queue(), kinds, most, rand.chance(0.3) ? 0 : rand.between(1, 5_000));
    }

    /** What a worker says of its lease, or of one that is over. */
    QueueEntry ofALease(long n, QueueJudge judge, boolean holds, RestDraw restDraw, long now) {
        List<Lease> ofKey = judge.leases.get(
                rand.pick(judge.leases.keySet().stream().sorted().toList()));
        // Mostly the newest.
        Lease lease = rand.chance(0.75) ? ofKey.get(ofKey.size() - 1) : rand.pick(ofKey);
        if (holds && rand.chance(0.4)) {
            // Mostly one of its own groups.
            NaiveItem item = judge.naive.queues.get(lease.queue()).items.get(lease.key());
            List<String> own = item == null ? List.of() : item.groups();
            String group = rand.pick(own.isEmpty() || rand.chance(0.1) ? GROUPS : own);
            return new QueueEntry.Hold(n, lease.token(), group, rand.between(1, 20));
        }
        int what = rand.between(0, 5);
        if (what == 0) {
            return new QueueEntry.Extend(n, lease.token(), rand.chance(0.5) ? null : rand.between(1, 40));
        }
        End end = what < 3 ? End.FINISHED : what < 5 ? End.FAILED : End.RELEASED;
        Boolean retry = end == End.FAILED && rand.chance(0.2) ? rand.chance(0.3) : null;
        return restDraw.done(n, lease.token(), end, retry, now);
    }

    static QueueEntry finished(long n, Lease lease) {
        return new QueueEntry.Done(n, lease.token(), End.FINISHED, null, null, null, null, null, null, null);
    }

    SetOwner owner(long n) {
        return new SetOwner(
                n, queue(), rand.pick(OWNERS), rand.between(1, 5), rand.chance(0.5) ? null : rand.between(1, 8));
    }

    SetLimit limit(long n) {
        boolean hasWindow = rand.chance(0.4);
        return new SetLimit(
                n,
                rand.pick(GROUPS),
                rand.chance(0.3) ? null : rand.between(0, 3),
                hasWindow ? rand.between(1, 3) : null,
                hasWindow ? rand.between(2, 10) : null);
    }
}
