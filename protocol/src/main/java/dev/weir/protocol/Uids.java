package dev.weir.protocol;

/** The form of a uid: {@code [A-Za-z0-9._:-]{1,128}}, and neither "." nor "..", so that one can be part of a path. */
public final class Uids {

    public static final int MAX_LENGTH = 128;

    /** The allowed characters as bits, from 0 to 63 and from 64 to 127: this runs several times for each message. */
    private static final long LOW = bits("-.0123456789:");

    private static final long HIGH = bits("ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz");

    private Uids() {}

    private static long bits(String characters) {
        long bits = 0;
        for (int i = 0; i < characters.length(); i++) {
            bits |= 1L << (characters.charAt(i) & 63);
        }
        return bits;
    }

    public static boolean isValid(String uid) {
        int length = uid.length();
        if (length == 0 || length > MAX_LENGTH || uid.equals(".") || uid.equals("..")) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            char c = uid.charAt(i);
            boolean allowed = c < 64 ? (LOW >>> c & 1) != 0 : c < 128 && (HIGH >>> (c - 64) & 1) != 0;
            if (!allowed) {
                return false;
            }
        }
        return true;
    }
}
