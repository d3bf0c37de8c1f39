package dev.weir.protocol;

/** The form of a uid: {@code [A-Za-z0-9._:-]{1,128}}, and neither "." nor "..", so that one can be part of a path. */
public final class Uids {

    public static final int MAX_LENGTH = 128;

    /**
     * Whether each ASCII character is allowed. A table, because this runs several times per message, and branches on the random
     * characters of a hash are unpredictable.
     */
    private static final boolean[] ALLOWED = new boolean[128];

    static {
        String allowed = "-.0123456789:ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";
        for (int i = 0; i < allowed.length(); i++) {
            ALLOWED[allowed.charAt(i)] = true;
        }
    }

    private Uids() {}

    public static boolean isValid(String uid) {
        int length = uid.length();
        if (length == 0 || length > MAX_LENGTH || uid.equals(".") || uid.equals("..")) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            char c = uid.charAt(i);
            if (c >= ALLOWED.length || !ALLOWED[c]) {
                return false;
            }
        }
        return true;
    }
}
