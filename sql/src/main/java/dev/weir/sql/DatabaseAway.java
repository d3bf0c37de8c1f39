package dev.weir.sql;

import java.sql.SQLException;

/** A database that cannot be reached, or takes no connection now: a later attempt may succeed without anybody's help. */
public final class DatabaseAway extends IllegalStateException {

    private static final long serialVersionUID = 1;

    /** What the driver says when the server asks for a password and there is none. */
    static final String NO_PASSWORD = "08004";

    private static final String LOCKED = "55P03";
    private static final String NO_TABLE = "42P01";

    DatabaseAway(String message, Throwable cause) {
        super(message, cause);
    }

    /** Whether there was no connection, the server starts or stops or has no room for another, or somebody holds a lock for long. */
    public static boolean isCause(Throwable failure) {
        SQLException cause = cause(failure);
        String state = cause == null ? NO_PASSWORD : cause.getSQLState();
        return !state.equals(NO_PASSWORD)
                && (state.startsWith("08")
                        || state.startsWith("57P")
                        || state.startsWith("53")
                        || state.equals(LOCKED));
    }

    /** Whether somebody holds a lock for long. */
    public boolean isLocked() {
        SQLException cause = cause(this);
        return cause != null && LOCKED.equals(cause.getSQLState());
    }

    /** What the database or its driver said. */
    static String said(Throwable failure) {
        SQLException cause = cause(failure);
        return cause == null ? failure.getMessage() : cause.getMessage();
    }

    /** Null when there is none with a state. */
    private static SQLException cause(Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof SQLException cause && cause.getSQLState() != null) {
                return cause;
            }
        }
        return null;
    }

    /** Whether a table is not there: Weir has not started with this database. */
    static boolean isNoTable(SQLException failure) {
        return NO_TABLE.equals(failure.getSQLState());
    }
}
