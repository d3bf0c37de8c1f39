package dev.weir.protocol.queue;

import dev.weir.protocol.Check;
import dev.weir.protocol.Uids;
import java.util.List;

/** Kinds of items that an entry is about. */
public final class Kinds {

    private static final String ANY = "*";

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
        begun.forEach(kind -> Check.uid("kinds", anyOf(kind)));
        return begun;
    }

    /** Whether a name or beginning is one that kinds can have. */
    public static boolean isPossible(String kind) {
        return Uids.isValid(anyOf(kind));
    }

    /** A name that it stands for. */
    private static String anyOf(String kind) {
        return kind.endsWith(ANY) ? beginning(kind) + "_" : kind;
    }

    private static List<String> distinct(List<String> kinds) {
        List<String> distinct = Check.copied("kinds", kinds).stream().distinct().toList();
        Check.atMost("kinds", distinct, QueueLimits.MAX_KINDS);
        return distinct;
    }

    private static String beginning(String kind) {
        return kind.substring(0, kind.length() - ANY.length());
    }

    /** Whether a kind is one of these names, or begins like one with a star. */
    public static boolean match(List<String> kinds, String kind) {
        return kinds.stream().anyMatch(one -> one.endsWith(ANY) ? kind.startsWith(beginning(one)) : kind.equals(one));
    }
}
