package dev.weir.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Locale;

/** Values of the gateway's answers as words. */
final class Shown {

    private static final int BAR = 10;

    private Shown() {}

    /** A field as text; a dash when it is absent. */
    static String text(JsonNode node, String field) {
        JsonNode value = node.path(field);
        return value.isMissingNode() || value.isNull() ? "-" : value.asText();
    }

    /** Without a fraction where there is none. */
    static String number(double value) {
        return value == Math.rint(value) ? String.valueOf((long) value) : String.format(Locale.ROOT, "%.2f", value);
    }

    /** The part of a task's files that have ended, as a bar with a percentage; a dash while the size of its dataset is unknown. */
    static String progress(JsonNode counts) {
        long total = counts.path("total").asLong();
        if (total <= 0) {
            return "-";
        }
        // All ended is 100 %, and nothing else.
        double part = Math.min(1, (double) ended(counts) / total);
        int full = (int) (part * BAR);
        return "█".repeat(full) + "░".repeat(BAR - full) + String.format(" %3d %%", (int) (part * 100));
    }

    /** What stands after the last slash of an address. */
    static String fileName(String url) {
        return url.substring(url.lastIndexOf('/') + 1);
    }

    static long ended(JsonNode counts) {
        return sum(counts, "finished", "failed", "killed", "cancelled");
    }

    static long out(JsonNode counts) {
        return sum(counts, "queued", "starting", "running");
    }

    static long sum(JsonNode counts, String... fields) {
        long sum = 0;
        for (String field : fields) {
            sum += counts.path(field).asLong();
        }
        return sum;
    }

    /** How long ago a time was, as in {@code 3 min ago}; a dash when it is absent. */
    static String ago(JsonNode node, String field, Instant now) {
        try {
            Duration age = Duration.between(Instant.parse(node.path(field).asText()), now);
            long seconds = Math.max(0, age.toSeconds());
            if (seconds < 120) {
                return seconds + " s ago";
            }
            if (seconds < 7200) {
                return seconds / 60 + " min ago";
            }
            return seconds < 172_800 ? seconds / 3600 + " h ago" : seconds / 86_400 + " days ago";
        } catch (DateTimeParseException e) {
            return "-";
        }
    }
}
