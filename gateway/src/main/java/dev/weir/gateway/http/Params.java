package dev.weir.gateway.http;

import dev.weir.protocol.Check;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Uids;
import dev.weir.protocol.queue.QueueLimits;
import dev.weir.web.Problem;
import io.javalin.http.Context;
import java.util.List;
import java.util.Set;

/** Parameters of a request, checked: what the contract does not allow becomes a problem that names the parameter. */
final class Params {

    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_LIMIT = 1000;
    private static final int MAX_TEXT = 256;
    private static final int MAX_CURSOR = 1500;
    private static final double MAX_WAIT_SECONDS = 60;

    private Params() {}

    /** A misspelt filter would show more than was asked for. */
    static void allow(Context http, String... names) {
        Set<String> allowed = Set.of(names);
        http.queryParamMap().forEach((name, values) -> {
            if (!allowed.contains(name)) {
                throw Problem.ofQuery(
                        name,
                        "there is no parameter '" + name + "' here; there are "
                                + (names.length == 0 ? "none" : String.join(", ", names)));
            }
            if (values.size() > 1) {
                throw Problem.ofQuery(name, name + " may be given once, it is there " + values.size() + " times");
            }
        });
    }

    /** A uid in the path. One that can't be is of nothing. */
    static String uid(Context http, String name, String what) {
        String uid = http.pathParam(name);
        if (!Uids.isValid(uid)) {
            throw unknown(what, uid);
        }
        return uid;
    }

    static Problem unknown(String what, String uid) {
        return new Problem(
                404,
                "No such " + what,
                "there is no " + what + " '" + uid + "'. What was sent a moment ago may still come");
    }

    static String uidOrNull(Context http, String name) {
        String value = http.queryParam(name);
        if (value != null && !Uids.isValid(value)) {
            throw Problem.ofQuery(name, name + " must be 1 to 128 of A-Z a-z 0-9 . _ : -");
        }
        return value;
    }

    static String textOrNull(Context http, String name) {
        String value = http.queryParam(name);
        if (value != null && (value.isEmpty() || value.length() > MAX_TEXT || value.indexOf('\0') >= 0)) {
            throw Problem.ofQuery(name, name + " must have 1 to " + MAX_TEXT + " characters, and no NUL");
        }
        return value;
    }

    static String choiceOrNull(Context http, String name, List<String> choices) {
        String value = http.queryParam(name);
        if (value != null && !choices.contains(value)) {
            throw Problem.ofQuery(name, name + " must be one of " + String.join(", ", choices));
        }
        return value;
    }

    /** Whether a flag is set; it is not by default. */
    static boolean flag(Context http, String name) {
        return "true".equals(choiceOrNull(http, name, List.of("true", "false")));
    }

    static int limit(Context http) {
        return whole(http, "limit", DEFAULT_LIMIT, MAX_LIMIT);
    }

    /** A whole number from 1 to a most. */
    static int whole(Context http, String name, int otherwise, int most) {
        String value = http.queryParam(name);
        if (value == null) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(value);
            if (number >= 1 && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw Problem.ofQuery(name, name + " must be a whole number from 1 to " + most);
    }

    /** The key of an item of a queue. */
    static String itemKey(Context http) {
        try {
            String key = Check.text("key", http.queryParam("key"));
            Check.bytes("key", key, QueueLimits.MAX_KEY_BYTES);
            return key;
        } catch (InvalidMessage e) {
            throw Problem.ofQuery("key", e.getMessage());
        }
    }

    /** Whole seconds from 0 to a most, which is also the default. */
    static int seconds(Context http, String name, int most) {
        String value = http.queryParam(name);
        if (value == null) {
            return most;
        }
        try {
            int seconds = Integer.parseInt(value);
            if (seconds >= 0 && seconds <= most) {
                return seconds;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw Problem.ofQuery(name, name + " must be a whole number from 0 to " + most);
    }

    /** The number of an attempt. */
    static Integer attemptOrNull(Context http) {
        String value = http.queryParam("attempt");
        try {
            Integer attempt = value == null ? null : Integer.valueOf(value);
            if (attempt == null || attempt >= 1) {
                return attempt;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw Problem.ofQuery("attempt", "attempt must be a whole number from 1");
    }

    static String after(Context http) {
        String value = http.queryParam("after");
        if (value != null && (value.isEmpty() || value.length() > MAX_CURSOR)) {
            throw Problem.ofQuery("after", "after must be the next of an earlier page of this list");
        }
        return value;
    }

    /** In milliseconds; 0 for none. */
    static long waitMillis(Context http) {
        return waitMillis(http, "wait");
    }

    static long waitMillis(Context http, String name) {
        Long millis = millisOrNull(http, name, MAX_WAIT_SECONDS);
        return millis == null ? 0 : millis;
    }

    /** A number of seconds from 0 to a most, in milliseconds. */
    static Long millisOrNull(Context http, String name, double mostSeconds) {
        String value = http.queryParam(name);
        if (value == null) {
            return null;
        }
        try {
            double seconds = Double.parseDouble(value);
            if (seconds >= 0 && seconds <= mostSeconds) {
                return Math.round(seconds * 1000);
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw Problem.ofQuery(name, name + " must be a number of seconds from 0 to " + (int) mostSeconds);
    }
}
