package dev.weir.web;

import dev.weir.protocol.InvalidMessage;

/** A request that cannot be answered as asked: becomes a problem document (RFC 9457) with this status. */
public final class Problem extends RuntimeException {

    private static final int BAD_REQUEST = 400;
    private static final int UNPROCESSABLE = 422;

    private final int status;
    private final String title;
    private final String field;
    private final String id;
    private final int retrySeconds;

    public Problem(int status, String title, String detail) {
        this(status, title, detail, null, null);
    }

    /**
     * @param field the field at fault, as spelled on the wire; null for none
     * @param id of what was asked for, when it has one of its own; null for none
     */
    public Problem(int status, String title, String detail, String field, String id) {
        this(status, title, detail, field, id, 0);
    }

    private Problem(int status, String title, String detail, String field, String id, int retrySeconds) {
        super(detail);
        this.status = status;
        this.title = title;
        this.field = field;
        this.id = id;
        this.retrySeconds = retrySeconds;
    }

    /** The same, which may have passed after so many seconds, from 1. */
    public Problem after(int seconds) {
        return new Problem(status, title, getMessage(), field, id, seconds);
    }

    /** A query that cannot be understood. */
    public static Problem ofQuery(String parameter, String detail) {
        return new Problem(BAD_REQUEST, "Bad query", detail, parameter, null);
    }

    /** A body that is not what it should be: 422 when one of its fields is at fault, otherwise 400. */
    public static Problem of(InvalidMessage invalid) {
        return invalid.field() == null
                ? new Problem(BAD_REQUEST, "Bad request", invalid.getMessage())
                : new Problem(UNPROCESSABLE, "Invalid field", invalid.getMessage(), invalid.field(), null);
    }

    public int status() {
        return status;
    }

    /** After which it may be asked again; 0 when nothing is known of that. */
    public int retrySeconds() {
        return retrySeconds;
    }

    /** What goes over the wire. */
    public record Document(String type, String title, int status, String detail, String field, String id) {}

    public Document document() {
        return new Document("about:blank", title, status, getMessage(), field, id);
    }
}
