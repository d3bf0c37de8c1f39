package dev.weir.chaos.hostile;

import java.util.Random;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Some of the messages that each queue has had; a new one takes the place of any. Good ones have places of their own, or they would soon
 * have none among so many bad ones. Safe for use from many threads.
 */
public final class Replays {

    private static final int KEPT = 500;
    /** Larger ones would take much room, and say nothing new. */
    private static final int LARGEST_BYTES = 10_000;

    private final AtomicReferenceArray<byte[]> kept = new AtomicReferenceArray<>(2 * KEPT * Door.values().length);
    private final Random places = new Random(0);

    /** Keeps one of the good traffic, for some time. */
    public void noteGood(Door door, byte[] body) {
        note(2 * door.ordinal(), body);
    }

    void noteBad(Door door, byte[] body) {
        note(2 * door.ordinal() + 1, body);
    }

    private void note(int row, byte[] body) {
        if (body.length <= LARGEST_BYTES) {
            kept.set(row * KEPT + places.nextInt(KEPT), body);
        }
    }

    /** One that was there before; null if it finds none. */
    byte[] one(Door door, Random random) {
        return kept.get(2 * door.ordinal() * KEPT + random.nextInt(2 * KEPT));
    }
}
