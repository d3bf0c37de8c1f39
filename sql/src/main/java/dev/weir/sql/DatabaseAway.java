package dev.weir.sql;

/** A database that cannot be reached, or takes no connection now: a later attempt may succeed without anybody's help. */
public final class DatabaseAway extends IllegalStateException {

    private static final long serialVersionUID = 1;

    DatabaseAway(String message, Throwable cause) {
        super(message, cause);
    }
}
