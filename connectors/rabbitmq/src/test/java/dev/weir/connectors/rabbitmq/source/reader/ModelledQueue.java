package dev.weir.connectors.rabbitmq.source.reader;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.annotation.Nullable;

/**
 * A broker's queue of numbered messages, and a connection to it that breaks: as RabbitMQ delivers, which counts the prefetch for each
 * consumer, and hears acknowledgements some time after they were written.
 */
final class ModelledQueue {

    private final int prefetch;
    private final Random random;
    private final TreeSet<Integer> ready = new TreeSet<>();
    private final TreeMap<Long, Integer> unacknowledged = new TreeMap<>();
    private final ArrayDeque<Long> unheard = new ArrayDeque<>();
    private final ArrayDeque<Arrival> arrivals = new ArrayDeque<>();
    private long channel = 1;
    private long tag;
    /** The newest delivery before the present consumer. */
    private long startTag;

    private boolean open = true;

    ModelledQueue(int messages, int prefetch, Random random) {
        this.prefetch = prefetch;
        this.random = random;
        for (int number = 0; number < messages; number++) {
            ready.add(number);
        }
    }

    /** A delivery on its way to the task. */
    record Arrival(long channel, long tag, int number) {}

    void deliver() {
        if (open && hasRoom() && !ready.isEmpty()) {
            int number = ready.first();
            ready.remove(number);
            unacknowledged.put(++tag, number);
            arrivals.add(new Arrival(channel, tag, number));
        }
    }

    private boolean hasRoom() {
        return unacknowledged.tailMap(startTag, false).size() < prefetch;
    }

    /** Reads beyond a full window, as a source that ends does before its first checkpoint; some is still on its way to the task then. */
    void widen() {
        if (open && !hasRoom() && arrivals.size() <= 4 * prefetch) {
            startTag = tag;
        }
    }

    @Nullable Arrival next() {
        return arrivals.poll();
    }

    /** Writes an acknowledgement; false if its channel is gone. */
    boolean acknowledge(long onChannel, long upTo) {
        boolean written = open && channel == onChannel;
        if (written) {
            unheard.add(upTo);
        }
        return written;
    }

    void hear() {
        if (!unheard.isEmpty()) {
            unacknowledged.headMap(unheard.remove(), true).clear();
        }
    }

    /** The connection breaks: the broker has heard some of the acknowledgements that were written, and gives the rest back. */
    void disconnect() {
        while (random.nextBoolean() && !unheard.isEmpty()) {
            hear();
        }
        unheard.clear();
        ready.addAll(unacknowledged.values());
        unacknowledged.clear();
        open = false;
    }

    /** Another channel, once what came through the one before has been taken. */
    void reconnect() {
        if (!open && arrivals.isEmpty()) {
            channel++;
            tag = 0;
            startTag = 0;
            open = true;
        }
    }

    /** The task begins anew: what was on its way to it is forgotten. */
    void restart() {
        disconnect();
        arrivals.clear();
        reconnect();
    }

    /** What has not been acknowledged, as far as the broker knows. */
    List<Integer> left() {
        List<Integer> left = new ArrayList<>(ready);
        left.addAll(unacknowledged.values());
        return left;
    }
}
