package dev.weir.sql;

import dev.weir.protocol.Urls;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.postgresql.Driver;

/** Waits for a database that is just starting. Any other failure is reported at once. */
final class Reachable {

    private static final long PAUSE_MILLIS = 500;
    private static final String CONNECT_SECONDS = "5";
    private static final String ANSWER_SECONDS = "10";

    static {
        // On a Flink cluster each job has a class loader of its own, and Java looks for drivers only once.
        var registered = Driver.isRegistered();
    }

    private Reachable() {}

    /** A connection that ends by itself, and with an error, when the database says nothing for 10 s. */
    static Connection connect(String jdbcUrl, String user, String password) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", user);
        properties.setProperty("password", password);
        properties.setProperty("connectTimeout", CONNECT_SECONDS);
        // Something that takes the connection and then says nothing is no database.
        properties.setProperty("loginTimeout", ANSWER_SECONDS);
        properties.setProperty("socketTimeout", ANSWER_SECONDS);
        return DriverManager.getConnection(jdbcUrl, properties);
    }

    /**
     * The same address for long work: the server may be silent, but a host that is gone ends it within the minutes that the system takes to
     * notice. What the URL says itself counts.
     */
    static String forLongWork(String jdbcUrl) {
        String url = jdbcUrl;
        for (String[] parameter : new String[][] {
            {"connectTimeout", CONNECT_SECONDS}, {"loginTimeout", ANSWER_SECONDS}, {"tcpKeepAlive", "true"}
        }) {
            if (!url.contains("?" + parameter[0] + "=") && !url.contains("&" + parameter[0] + "=")) {
                url += (url.contains("?") ? "&" : "?") + parameter[0] + "=" + parameter[1];
            }
        }
        return url;
    }

    static void await(String jdbcUrl, String user, String password, Duration patience) {
        requireDriver(jdbcUrl);
        long begun = System.nanoTime();
        while (true) {
            try (Connection connection = connect(jdbcUrl, user, password)) {
                return;
            } catch (SQLException e) {
                String why = "the database at " + withoutParameters(jdbcUrl) + " cannot be used as " + user + ": "
                        + e.getMessage() + advice(e);
                if (!DatabaseAway.isCause(e)) {
                    throw new IllegalStateException(why, e);
                }
                if (System.nanoTime() - begun >= patience.toNanos()) {
                    throw new DatabaseAway(why, e);
                }
            }
            pause(jdbcUrl);
        }
    }

    /** Java quotes an URL without a driver, with its password, and as if its server were away. */
    private static void requireDriver(String jdbcUrl) {
        try {
            var unused = DriverManager.getDriver(jdbcUrl);
        } catch (SQLException e) {
            throw new IllegalStateException(withoutParameters(jdbcUrl)
                    + " is no address of a database; write it as jdbc:postgresql://host:port/name");
        }
    }

    private static String advice(SQLException e) {
        String state = e.getSQLState() == null ? "" : e.getSQLState();
        if (state.startsWith("3D")) {
            return ". Make it first (createdb), or name another.";
        }
        if (state.startsWith("28") || state.equals(DatabaseAway.NO_PASSWORD)) {
            return ". Check user and password.";
        }
        return ". Check that PostgreSQL runs there, and the URL.";
    }

    /** They may hold a password. */
    static String withoutParameters(String jdbcUrl) {
        int question = jdbcUrl.indexOf('?');
        return Urls.withoutSecrets(question < 0 ? jdbcUrl : jdbcUrl.substring(0, question));
    }

    private static void pause(String jdbcUrl) {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + withoutParameters(jdbcUrl), e);
        }
    }
}
