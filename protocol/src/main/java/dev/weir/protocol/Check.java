package dev.weir.protocol;

import java.util.List;

/** The rules that several messages share, with the limits of the protocol page. */
public final class Check {

    /** A lease names its queue and key. */
    private static final int MAX_TOKEN_LENGTH = 4096;

    private Check() {}

    public static <T> T required(String field, T value) {
        if (value == null) {
            throw new InvalidMessage(field, field + " is required");
        }
        return value;
    }

    public static String text(String field, String value) {
        required(field, value);
        if (value.isBlank()) {
            throw new InvalidMessage(field, field + " must not be empty");
        }
        return value;
    }

    public static String uid(String field, String value) {
        required(field, value);
        if (!Uids.isValid(value)) {
            throw new InvalidMessage(
                    field,
                    field + " must be 1 to " + Uids.MAX_LENGTH + " of A-Z a-z 0-9 . _ : - and not '.' or '..', got '"
                            + abbreviated(value) + "'");
        }
        return value;
    }

    /** @throws InvalidMessage also for the key of notices to all pilots: what is meant for this pilot would reach every one */
    public static void pilot(String field, String value) {
        uid(field, value);
        if (value.equals(Names.NOTICE_ALL)) {
            throw new InvalidMessage(field, field + " must not be '" + Names.NOTICE_ALL + "', which means all pilots");
        }
    }

    public static String optionalUid(String field, String value) {
        return value == null ? null : uid(field, value);
    }

    public static int within(String field, int value, int least, int most) {
        if (value < least || value > most) {
            throw new InvalidMessage(field, field + " must be from " + least + " to " + most + ", got " + value);
        }
        return value;
    }

    /** Nothing for null. */
    public static void optionalWithin(String field, Integer value, int least, int most) {
        if (value != null) {
            within(field, value, least, most);
        }
    }

    public static double within(String field, double value, double least, double most) {
        if (!(value >= least && value <= most)) {
            throw new InvalidMessage(field, field + " must be from " + least + " to " + most + ", got " + value);
        }
        return value;
    }

    public static long notNegative(String field, long value) {
        if (value < 0) {
            throw new InvalidMessage(field, field + " must not be negative, got " + value);
        }
        return value;
    }

    /** Nothing for null. */
    public static void optionalNotNegative(String field, Long value) {
        if (value != null) {
            notNegative(field, value);
        }
    }

    /** Nothing for null. */
    public static void size(String field, Long value) {
        optionalNotNegative(field, value);
    }

    /** Nothing for null. */
    public static void attempt(Integer value) {
        if (value != null) {
            within("attempt", value, 1, Integer.MAX_VALUE);
        }
    }

    /** What Weir gave out and takes back: text of a bounded length. */
    public static String token(String field, String value) {
        text(field, value);
        length(field, value, MAX_TOKEN_LENGTH);
        return value;
    }

    public static <T> void atMost(String field, List<T> values, int most) {
        if (values.size() > most) {
            throw new InvalidMessage(field, field + " must be at most " + most + ", got " + values.size());
        }
    }

    public static <T> List<T> copied(String field, List<T> values) {
        if (values == null || values.isEmpty()) {
            return List.of();
        }
        for (T value : values) {
            required(field, value);
        }
        return List.copyOf(values);
    }

    public static String group(String field, String value) {
        text(field, value);
        length(field, value, Limits.MAX_GROUP_LENGTH);
        characters(field, value);
        return value;
    }

    /** Half a surrogate pair is no character: as UTF-8 in state it would become another one, and in a payload nobody could write it again. */
    public static void characters(String field, String value) {
        if (!Texts.isWhole(value)) {
            throw new InvalidMessage(
                    field,
                    (field == null ? "it" : field) + " must not have half a surrogate pair, which is no character");
        }
    }

    /** A repeated group counts once. */
    public static List<String> groups(String field, List<String> values) {
        List<String> groups = copied(field, values);
        if (groups.size() > 1) {
            groups = groups.stream().distinct().toList();
        }
        atMost(field, groups, Limits.MAX_GROUPS);
        groups.forEach(group -> group(field, group));
        return groups;
    }

    public static List<String> pools(String field, List<String> values) {
        List<String> pools = copied(field, values);
        atMost(field, pools, Limits.MAX_POOLS);
        pools.forEach(pool -> uid(field, pool));
        return pools;
    }

    /** Nothing for null. */
    public static void label(String field, String value) {
        if (value != null) {
            length(field, value, Limits.MAX_LABEL_LENGTH);
        }
    }

    public static void length(String field, String value, int most) {
        if (value.length() > most) {
            throw new InvalidMessage(
                    field, field + " must have at most " + most + " characters, got " + value.length());
        }
    }

    /** Nothing for null. */
    public static void fileUrl(String field, String value) {
        if (value != null) {
            bytes(field, value, Limits.MAX_FILE_URL_BYTES);
        }
    }

    /** A sentence for people, without passwords in URLs, cut if it is too long; null stays null. */
    public static String sentence(String value) {
        return value == null ? null : Texts.first(Urls.withoutSecrets(value), Limits.MAX_SENTENCE_LENGTH);
    }

    public static void bytes(String field, String value, int most) {
        if (!Texts.fitsJson(value, 0, most)) {
            throw new InvalidMessage(
                    field, field + " may have " + most + " bytes in JSON, this one has " + Texts.jsonBytes(value));
        }
    }

    private static String abbreviated(String value) {
        return value.length() <= 40 ? value : value.substring(0, 40) + "…";
    }
}
