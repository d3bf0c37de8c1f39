package dev.weir.bench.queue;

import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.Payload;
import dev.weir.protocol.queue.QueueEntry.Configure;
import dev.weir.protocol.queue.QueueSettings;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** The items of a queue: of 300 bytes, in sets of two of a thousand groups, ten sets to an owner. Seeded. */
final class Scans {

    static final String QUEUE = "q";

    /** Groups in which so many items may be in flight at once: of the second kind of the groups of items. */
    static final List<String> LIMITED =
            IntStream.range(0, 10).mapToObj(i -> "net:" + i).toList();

    static final int LIMIT = 1_000;

    private static final int OWNERS = 1_000;
    private static final int SETS_OF_AN_OWNER = 10;
    private static final int GROUPS = 1_000;
    /** With its numbers a payload has about 280 bytes, of which a third cannot be compressed. */
    private static final String PAYLOAD = """
            {"scan_id":"%016x%016x","target":"https://host-%d.example.org/%016x","program":"dns-records","requested_by":"schedule",\
            "requested_at":"2026-11-26T19:%02d:%02d.%06dZ","arguments":{"depth":3,"recursive":false,"resolver":"192.0.2.53"},"digest":"%016x%016x"}""";

    private static final int MOST = 10_000_000;

    /** Made once: the time to make one is not to be measured. */
    private static final String[] PAYLOADS = payloads(new Random(2), 10_000);

    private final Random random = new Random(1);
    private long made;

    private static String[] payloads(Random random, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> PAYLOAD.formatted(
                        random.nextLong(),
                        random.nextLong(),
                        random.nextInt(GROUPS),
                        random.nextLong(),
                        random.nextInt(60),
                        random.nextInt(60),
                        random.nextInt(1_000_000),
                        random.nextLong(),
                        random.nextLong()))
                .toArray(String[]::new);
    }

    /** Makes the queue, which has room for them, waiting or resting. */
    Configure queue(long n) {
        return new Configure(
                n,
                QUEUE,
                new QueueSettings(
                        MOST, null, null, null, null, null, null, null, null, null, null, null, null, null, MOST, null,
                        null, null, null, null, null));
    }

    Item item() {
        int owner = random.nextInt(OWNERS);
        int set = owner * SETS_OF_AN_OWNER + random.nextInt(SETS_OF_AN_OWNER);
        List<String> groups = List.of("host:" + set % GROUPS, "net:" + set / GROUPS);
        Payload payload = new Payload(PAYLOADS[random.nextInt(PAYLOADS.length)]);
        return new Item(
                "scan/" + ++made,
                null,
                "owner-" + owner,
                2 + random.nextInt(8),
                payload,
                groups,
                null,
                null,
                null,
                null,
                null);
    }
}
