package dev.weir.protocol;

/** The form of a uid: {@code [A-Za-z0-9._:-]{1,128}}, and neither "." nor "..", so that one can be part of a path. */
public final class Uids {

    public static final int MAX_LENGTH = 128;

    private Uids() {}

    public static boolean isValid(String uid) {
        int length = uid.length();
        if (length == 0 || length > MAX_LENGTH || uid.equals(".") || uid.equals("..")) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            char c = uid.charAt(i);
            boolean allowed = c >= 'a' && c <= 'z'
                    || c >= 'A' && c <= 'Z'
                    || c >= '0' && c <= '9'
                    || c == '.'
                    || c == '_'
                    || c == ':'
                    || c == '-';
            if (!allowed) {
                return false;
            }
        }
        return true;
    }
}
