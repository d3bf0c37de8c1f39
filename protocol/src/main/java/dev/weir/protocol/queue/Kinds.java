package dev.weir.protocol.queue;

import dev.weir.protocol.Check;
import dev.weir.protocol.NamePattern;
import java.util.List;

/** Kinds of items that an entry is about. */
public final class Kinds {

    private Kinds() {}

    /** Names of kinds. */
    static List<String> named(List<String> kinds) {
        List<String> named = distinct(kinds);
        named.forEach(kind -> Check.uid("kinds", kind));
        return named;
    }

    /** Names of kinds, or beginnings of names with a star behind them. */
    static List<String> begun(List<String> kinds) {
        List<String> begun = distinct(kinds);
        begun.forEach(kind -> Check.uid("kinds", NamePattern.shortest(kind)));
        return begun;
    }

    private static List<String> distinct(List<String> kinds) {
        List<String> distinct = Check.copied("kinds", kinds).stream().distinct().toList();
        Check.atMost("kinds", distinct, QueueLimits.MAX_KINDS);
        return distinct;
    }

    /** Whether a kind is one of these names, or begins like one with a star. */
    public static boolean match(List<String> kinds, String kind) {
        return kinds.stream().anyMatch(one -> NamePattern.matches(one, kind));
    }
}
