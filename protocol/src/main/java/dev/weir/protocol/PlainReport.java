package dev.weir.protocol;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;

/**
 * Reads the reports that nearly all messages are, {@code status} and {@code result} as pilots write them, several times as fast as the
 * general reader does; each is read by its intake and again by the scheduler. It knows plain JSON only: known fields once
 * each, ASCII texts without escapes, whole numbers. Of anything else, a fault among it, it knows nothing, and {@link Json} reads that as it
 * reads all other messages: so there is one place that says what is wrong with a message.
 */
final class PlainReport {

    private static final int LONGEST = 16_384;
    private static final int MOST_DIGITS = 18;

    private static final String[] FIELDS = {
        "type",
        "pilot_id",
        "pool",
        "sent_at",
        "job_uid",
        "attempt",
        "route",
        "status",
        "exit_code",
        "error_type",
        "error_message",
        "file_out_url",
        "file_out_size",
        "file_out_checksum",
        "file_log_url",
        "file_log_size",
        "file_log_checksum",
        "started_at",
        "ended_at"
    };

    private static final byte[][] NAMES = new byte[FIELDS.length][];

    static {
        for (int i = 0; i < FIELDS.length; i++) {
            NAMES[i] = FIELDS[i].getBytes(StandardCharsets.US_ASCII);
        }
    }

    // Where each stands among them.
    private static final int TYPE = 0;
    private static final int PILOT_ID = 1;
    private static final int POOL = 2;
    private static final int SENT_AT = 3;
    private static final int JOB_UID = 4;
    private static final int ATTEMPT = 5;
    private static final int ROUTE = 6;
    private static final int STATUS = 7;
    private static final int EXIT_CODE = 8;
    private static final int ERROR_TYPE = 9;
    private static final int ERROR_MESSAGE = 10;
    private static final int FILE_OUT_URL = 11;
    private static final int FILE_OUT_SIZE = 12;
    private static final int FILE_OUT_CHECKSUM = 13;
    private static final int FILE_LOG_URL = 14;
    private static final int FILE_LOG_SIZE = 15;
    private static final int FILE_LOG_CHECKSUM = 16;
    private static final int STARTED_AT = 17;
    private static final int ENDED_AT = 18;

    private final byte[] body;
    private int at;
    private final String[] texts = new String[FIELDS.length];
    private final Long[] numbers = new Long[FIELDS.length];
    private int seen;

    private PlainReport(byte[] body) {
        this.body = body;
    }

    /** The report; null when it is not a plain status or result, which says nothing about whether it is valid. */
    static Report read(byte[] body) {
        if (body.length > LONGEST) {
            return null;
        }
        PlainReport plain = new PlainReport(body);
        try {
            return plain.object() ? plain.made() : null;
        } catch (InvalidMessage | DateTimeException e) {
            return null;
        }
    }

    private boolean object() {
        if (!take('{')) {
            return false;
        }
        int expected = 0;
        do {
            int field = name(expected);
            if (field < 0 || (seen & 1 << field) != 0 || !take(':') || !value(field)) {
                return false;
            }
            seen |= 1 << field;
            expected = field + 1;
        } while (take(','));
        return take('}') && next() < 0;
    }

    /** The next byte that is no space; -1 at the end. */
    private int next() {
        while (at < body.length && (body[at] == ' ' || body[at] == '\n' || body[at] == '\r' || body[at] == '\t')) {
            at++;
        }
        return at < body.length ? body[at] : -1;
    }

    private boolean take(char wanted) {
        if (next() != wanted) {
            return false;
        }
        at++;
        return true;
    }

    /** Moves over a text and returns where it ends, before its closing quote; -1 when it is not plain. */
    private int endOfText() {
        if (!take('"')) {
            return -1;
        }
        while (at < body.length && body[at] >= ' ' && body[at] != '"' && body[at] != '\\') {
            at++;
        }
        return at < body.length && body[at] == '"' ? at++ : -1;
    }

    /** The index of the field whose name comes next, looked for from the expected one on, for senders keep an order; -1 for none. */
    private int name(int expected) {
        if (next() != '"') {
            return -1;
        }
        int from = at + 1;
        int length = endOfText() - from;
        for (int i = 0; i < NAMES.length; i++) {
            int field = expected + i < NAMES.length ? expected + i : expected + i - NAMES.length;
            if (NAMES[field].length == length && isAt(from, NAMES[field])) {
                return field;
            }
        }
        return -1;
    }

    private boolean isAt(int from, byte[] name) {
        for (int i = 0; i < name.length; i++) {
            if (body[from + i] != name[i]) {
                return false;
            }
        }
        return true;
    }

    private boolean value(int field) {
        int first = next();
        if (first == 'n') {
            at += 4;
            return at <= body.length && body[at - 3] == 'u' && body[at - 2] == 'l' && body[at - 1] == 'l';
        }
        if (field == ATTEMPT || field == EXIT_CODE || field == FILE_OUT_SIZE || field == FILE_LOG_SIZE) {
            return number(field);
        }
        int from = at + 1;
        int to = endOfText();
        if (to < 0) {
            return false;
        }
        texts[field] = new String(body, from, to - from, StandardCharsets.ISO_8859_1);
        return true;
    }

    private boolean number(int field) {
        boolean negative = body[at] == '-';
        int from = negative ? ++at : at;
        long value = 0;
        while (at < body.length && body[at] >= '0' && body[at] <= '9') {
            value = value * 10 + body[at++] - '0';
        }
        int digits = at - from;
        if (digits == 0 || digits > MOST_DIGITS || body[from] == '0' && (digits > 1 || negative)) {
            return false;
        }
        numbers[field] = negative ? -value : value;
        boolean fits = value <= Integer.MAX_VALUE || field == FILE_OUT_SIZE || field == FILE_LOG_SIZE;
        // What follows a number must end it; a fraction or an exponent does not.
        int after = next();
        return fits && (after == ',' || after == '}');
    }

    private Report made() {
        if ("status".equals(texts[TYPE])) {
            Status.Phase phase = phase(texts[STATUS]);
            return phase == null
                    ? null
                    : new Status(
                            texts[PILOT_ID],
                            texts[POOL],
                            time(texts[SENT_AT]),
                            texts[JOB_UID],
                            number32(ATTEMPT),
                            texts[ROUTE],
                            phase);
        }
        Result.Outcome outcome = "result".equals(texts[TYPE]) ? outcome(texts[STATUS]) : null;
        if (outcome == null || texts[ERROR_TYPE] != null && errorType(texts[ERROR_TYPE]) == null) {
            return null;
        }
        return new Result(
                texts[PILOT_ID],
                texts[POOL],
                time(texts[SENT_AT]),
                texts[JOB_UID],
                number32(ATTEMPT),
                texts[ROUTE],
                outcome,
                number32(EXIT_CODE),
                errorType(texts[ERROR_TYPE]),
                texts[ERROR_MESSAGE],
                texts[FILE_OUT_URL],
                numbers[FILE_OUT_SIZE],
                texts[FILE_OUT_CHECKSUM],
                texts[FILE_LOG_URL],
                numbers[FILE_LOG_SIZE],
                texts[FILE_LOG_CHECKSUM],
                time(texts[STARTED_AT]),
                time(texts[ENDED_AT]));
    }

    private Integer number32(int field) {
        return numbers[field] == null ? null : numbers[field].intValue();
    }

    private static Instant time(String text) {
        return text == null ? null : OffsetDateTime.parse(text).toInstant();
    }

    private static Status.Phase phase(String text) {
        return "starting".equals(text) ? Status.Phase.STARTING : "running".equals(text) ? Status.Phase.RUNNING : null;
    }

    private static Result.Outcome outcome(String text) {
        return text == null
                ? null
                : switch (text) {
                    case "finished" -> Result.Outcome.FINISHED;
                    case "failed" -> Result.Outcome.FAILED;
                    case "killed" -> Result.Outcome.KILLED;
                    case "cancelled" -> Result.Outcome.CANCELLED;
                    default -> null;
                };
    }

    private static ErrorType errorType(String text) {
        return text == null
                ? null
                : switch (text) {
                    case "stage_in" -> ErrorType.STAGE_IN;
                    case "stage_out" -> ErrorType.STAGE_OUT;
                    case "executable" -> ErrorType.EXECUTABLE;
                    case "exit" -> ErrorType.EXIT;
                    case "timeout" -> ErrorType.TIMEOUT;
                    case "disk_full" -> ErrorType.DISK_FULL;
                    case "oom" -> ErrorType.OOM;
                    case "killed" -> ErrorType.KILLED;
                    default -> null;
                };
    }
}
