package dev.weir.sql;

import java.sql.SQLException;

/** A database that cannot be reached, or takes no connection now: a later attempt may succeed without anybody's help. */
public final class DatabaseAway extends IllegalStateException {

    private static final long serialVersionUID = 1;

    /** What the driver says when the server asks for a password and there is none. */
    static final String NO_PASSWORD = "08004";

    private static final String LOCKED = "55P03";

    DatabaseAway(String message, Throwable cause) {
        super(message, cause);
    }

    /** Whether there was no connection, the server starts or stops or has no room for another, or somebody holds a lock for long. */
    public static boolean isCause(Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof SQLException said && said.getSQLState() != null) {
                String state = said.getSQLState();
                return !state.equals(NO_PASSWORD)
                        && (state.startsWith("08")
                                || state.startsWith("57P")
                                || state.startsWith("53")
                                || state.equals(LOCKED));
            }
        }
        return false;
    }
}
