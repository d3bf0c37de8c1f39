package dev.weir.scheduler.state;

import dev.weir.engine.store.ByteSink;
import dev.weir.engine.store.ByteSource;
import dev.weir.engine.store.Wire;
import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Texts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** How the attempts of a task have failed since the last one finished, by type. Immutable. */
public final class RecentErrors {

    /**
     * @param type null only in old state, when its pilot was lost or gave none
     * @param message the last one, a long one without its middle; null for none
     */
    public record Kind(ErrorType type, long count, String message) {

        /** The cause first, so that equal texts are equal causes. */
        public String text() {
            String word = type == null ? "" : type.name().toLowerCase(Locale.ROOT);
            if (message == null) {
                return word.isEmpty() ? "failed" : word;
            }
            return word.isEmpty() ? message : word + ": " + message;
        }
    }

    public static final RecentErrors NONE = new RecentErrors(List.of());

    private static final int LONGEST_MESSAGE = 200;
    private static final ErrorType[] TYPES = ErrorType.values();

    /** The newest first. */
    private final List<Kind> kinds;

    private RecentErrors(List<Kind> kinds) {
        this.kinds = kinds;
    }

    /** Adds an attempt that has failed. */
    public RecentErrors and(ErrorType type, String message) {
        List<Kind> more = new ArrayList<>();
        long before = 0;
        for (Kind kind : kinds) {
            if (kind.type == type) {
                before = kind.count;
            } else {
                more.add(kind);
            }
        }
        String ends = message == null || message.isBlank() ? null : Texts.ends(message.strip(), LONGEST_MESSAGE);
        more.add(0, new Kind(type, before + 1, ends));
        return new RecentErrors(List.copyOf(more));
    }

    /** How many attempts have failed. */
    public long count() {
        long count = 0;
        for (Kind kind : kinds) {
            count += kind.count;
        }
        return count;
    }

    /** Whether more than half of the attempts have failed in this way. */
    public boolean isMostly(ErrorType type) {
        for (Kind kind : kinds) {
            if (kind.type == type) {
                return kind.count > count() / 2;
            }
        }
        return false;
    }

    /** The type of the last failure; null when there is none. */
    public Kind newest() {
        return kinds.isEmpty() ? null : kinds.get(0);
    }

    /** For people: the most frequent error, its last message and how often it came; null when there is none. */
    public String text() {
        Kind most = kinds.stream().max(Comparator.comparingLong(Kind::count)).orElse(null);
        return most == null
                ? null
                : most.text() + " (" + most.count + " of the " + count() + " attempts that failed since one finished)";
    }

    void write(ByteSink out) {
        Wire.writeLong(out, kinds.size());
        for (Kind kind : kinds) {
            Wire.writeEnum(out, kind.type);
            Wire.writeLong(out, kind.count);
            Wire.writeString(out, kind.message);
        }
    }

    static RecentErrors read(ByteSource in) throws IOException {
        int size = Wire.readInt(in);
        if (size == 0) {
            return NONE;
        }
        List<Kind> kinds = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            kinds.add(new Kind(Wire.readEnum(in, TYPES), Wire.readLong(in), Wire.readString(in)));
        }
        return new RecentErrors(List.copyOf(kinds));
    }
}
