package dev.weir.protocol;

/** A name, or the beginning of names with a star behind it, by which tokens and entries say what they are about. */
public final class NamePattern {

    private static final String ANY = "*";

    private NamePattern() {}

    /** Whether it stands for all names with a beginning. */
    public static boolean isBeginning(String pattern) {
        return pattern.endsWith(ANY);
    }

    public static boolean matches(String pattern, String name) {
        return isBeginning(pattern) ? name.startsWith(beginning(pattern)) : name.equals(pattern);
    }

    /** Whether a uid can match it. */
    public static boolean isPossible(String pattern) {
        return Uids.isValid(shortest(pattern));
    }

    /** The name itself, or a short one with the beginning. */
    public static String shortest(String pattern) {
        return isBeginning(pattern) ? beginning(pattern) + "_" : pattern;
    }

    private static String beginning(String pattern) {
        return pattern.substring(0, pattern.length() - ANY.length());
    }
}
