package dev.weir.queues;

import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.Payload;
import dev.weir.protocol.queue.QueueEntry.Pop;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What gateways ask in a {@link World}: few keys, owners, kinds and groups, so that they meet. */
final class Draw {

    static final String QUEUE = "q";
    static final int KEYS = 30;
    static final List<String> OWNERS = List.of("a", "b", "c");
    static final List<String> KINDS = List.of("x", "y");
    static final List<String> GROUPS = List.of("g1", "g2", "g3");

    private final Random random;

    Draw(Random random) {
        this.random = random;
    }

    Item item(long now) {
        List<String> groups = new ArrayList<>();
        for (String group : GROUPS) {
            if (random.nextInt(4) == 0) {
                groups.add(group);
            }
        }
        return new Item(
                "k" + random.nextInt(KEYS),
                pick(KINDS),
                pick(OWNERS),
                1 + random.nextInt(4),
                Payload.NONE,
                groups,
                random.nextInt(8) == 0 ? Instant.ofEpochMilli(now + random.nextInt(20_000)) : null,
                random.nextInt(30) == 0 ? Instant.ofEpochMilli(now + 1 + random.nextInt(30_000)) : null,
                pick(List.of(Item.IfPresent.values())));
    }

    <T> T pick(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    Pop pop(long n) {
        List<String> kinds = random.nextBoolean() ? List.of() : List.of(pick(KINDS));
        return new Pop(n, QUEUE, kinds, 1 + random.nextInt(3), random.nextInt(3) * 1_000);
    }
}
