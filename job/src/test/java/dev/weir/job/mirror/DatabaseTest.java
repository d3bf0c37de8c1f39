package dev.weir.job.mirror;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.Driver;

class DatabaseTest {

    private static Database at(String url) {
        return new Database(url, "me", "secret", 10, Duration.ofMillis(10));
    }

    @Test
    void noConnectionWaitsWithoutLimitForAServerThatDisappeared() {
        Properties properties = at("jdbc:postgresql://h/d").connection().getProperties();

        assertThat(properties)
                .containsEntry("user", "me")
                .containsEntry("password", "secret")
                .containsEntry("connectTimeout", "10")
                .containsEntry("socketTimeout", "60")
                .containsEntry("tcpKeepAlive", "true");
    }

    @Test
    void timeoutsInTheUrlOverrideTheDefaults() {
        String url = "jdbc:postgresql://h/d?socketTimeout=7";

        Properties used = Driver.parseURL(url, at(url).connection().getProperties());

        assertThat(used.getProperty("socketTimeout")).isEqualTo("7");
        assertThat(used.getProperty("connectTimeout")).isEqualTo("10");
    }

    @Test
    void theLogShowsNoParameterOfTheUrl() {
        assertThat(at("jdbc:postgresql://h/d?password=s3cret").toString())
                .contains("jdbc:postgresql://h/d")
                .doesNotContain("s3cret");
    }

    @Test
    @Timeout(30)
    void aTaskThatWaitsForASilentServerToMakeTheTablesEndsWhenItIsTold() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Database database = at("jdbc:postgresql://127.0.0.1:" + silent.getLocalPort() + "/d");

            Thread.currentThread().interrupt();

            assertThatThrownBy(database::migrate).isInstanceOf(InterruptedException.class);
        }
    }

    @Test
    @Timeout(30)
    void theConnectionToASilentServerIsClosed() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Database database = at("jdbc:postgresql://127.0.0.1:" + silent.getLocalPort() + "/d?socketTimeout=1");

            assertThatThrownBy(database::connect).isInstanceOf(SQLException.class);
        }
    }
}
