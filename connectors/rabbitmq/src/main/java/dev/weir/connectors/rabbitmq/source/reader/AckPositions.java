package dev.weir.connectors.rabbitmq.source.reader;

import java.util.Optional;
import java.util.TreeMap;

/**
 * Which deliveries of a queue belong to which checkpoint. A channel numbers its deliveries in order and they are emitted in
 * that order, so one number stands for all up to it: pending → emitted (the position) → bound to checkpoint n → acknowledged
 * when n completes. Not thread-safe: used by the task's thread.
 */
final class AckPositions {

    /** Everything up to {@code tag} on the channel with that number. */
    record Position(long channel, long tag) {}

    private static final Position NOTHING = new Position(0, 0);

    private final TreeMap<Long, Position> bound = new TreeMap<>();
    private Position emitted = NOTHING;
    /** What was to be acknowledged last. */
    private Position due = NOTHING;
    /** The same, as far as it could be said to the broker. */
    private Position sent = NOTHING;

    void emitted(long channel, long tag) {
        emitted = new Position(channel, tag);
    }

    /** The newest that was emitted. */
    Position newest() {
        return emitted;
    }

    /** How many deliveries of the newest channel have been emitted, and not acknowledged as far as is known: its tags count from 1. */
    long unacknowledged() {
        return emitted.tag() - (sent.channel() == emitted.channel() ? sent.tag() : 0);
    }

    /**
     * Binds everything emitted so far to a checkpoint. What an earlier one has already is acknowledged with that one at the latest; so
     * checkpoints that fail for days leave nothing behind while nothing is emitted.
     */
    void bind(long checkpointId) {
        boolean isBound = !bound.isEmpty() && bound.lastEntry().getValue().equals(emitted);
        if (emitted.tag() > 0 && !isBound) {
            bound.put(checkpointId, emitted);
        }
    }

    /** How many checkpoints that are not complete have something to acknowledge. */
    int boundCheckpoints() {
        return bound.size();
    }

    /** What may be acknowledged now that a checkpoint, and with it every earlier one, is complete. */
    Optional<Position> complete(long checkpointId) {
        var newest = bound.floorEntry(checkpointId);
        bound.headMap(checkpointId, true).clear();
        if (newest == null || newest.getValue().equals(due)) {
            return Optional.empty();
        }
        due = newest.getValue();
        return Optional.of(due);
    }

    /** An acknowledgement has been written to the broker, which does not answer it. */
    void sent(Position position) {
        sent = position;
    }

    /** Whether the acknowledgement of everything emitted has been written; also when nothing was emitted. */
    boolean allSent() {
        return emitted.equals(sent);
    }

    /** Whether a checkpoint is complete that covers everything emitted, and it could not be acknowledged. */
    boolean allDueAndNotSent() {
        return emitted.equals(due) && !allSent();
    }
}
