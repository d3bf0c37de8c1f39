package dev.weir.connectors.rabbitmq.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.flink.streaming.connectors.rabbitmq.common.RMQConnectionConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BrokerTest {

    private static Broker at(String uri) {
        return new Broker(new RMQConnectionConfig.Builder().setUri(uri).build(), null, null);
    }

    @Test
    void anAmqpsUriMeansTlsOnItsOwnPort() throws Exception {
        ConnectionFactory factory = at("amqps://u:p@example.org/v").factory();
        assertThat(factory.isSSL()).isTrue();
        assertThat(factory.getPort()).isEqualTo(5671);
        assertThat(factory.getVirtualHost()).isEqualTo("v");
        assertThat(factory.isAutomaticRecoveryEnabled()).isFalse();
    }

    @Test
    void heartbeatAndConnectionTimeoutAreOursUnlessTheConfigOrElseItsUriHasThem() throws Exception {
        ConnectionFactory silent = at("amqp://example.org").factory();
        assertThat(silent.getRequestedHeartbeat()).isEqualTo(20);
        assertThat(silent.getConnectionTimeout()).isEqualTo(10_000);

        String uri = "amqps://example.org/v?heartbeat=7&connection_timeout=3000";
        ConnectionFactory inUri = at(uri).factory();
        assertThat(inUri.getRequestedHeartbeat()).isEqualTo(7);
        assertThat(inUri.getConnectionTimeout()).isEqualTo(3_000);

        RMQConnectionConfig both = new RMQConnectionConfig.Builder()
                .setUri(uri)
                .setRequestedHeartbeat(11)
                .build();
        ConnectionFactory inConfig = new Broker(both, null, null).factory();
        assertThat(inConfig.getRequestedHeartbeat()).isEqualTo(11);
        assertThat(inConfig.getConnectionTimeout()).isEqualTo(3_000);
    }

    /** The client would take its default for a host that it does not find: this machine. */
    @Test
    void aUriWithoutAHostThatAUriCanHaveIsRefusedForGoodAndConnectsNowhereElse() {
        for (String uri : List.of(
                "amqp://app:secret@my_broker:5673/v", "amqp://app:se@cret@broker:5673/v", "amqp:broker", "amqp:///v")) {
            assertThatThrownBy(() -> at(uri).open("test", socket -> {}))
                    .as(uri)
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("names no host")
                    .hasMessageNotContaining("secret")
                    .hasMessageNotContaining("se@cret");
        }
        assertThatThrownBy(() -> at("amqp://app:pa ss@broker").open("test", socket -> {}))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("malformed")
                .hasMessageNotContaining("pa ss");
    }

    @Test
    void neverMeansAHundredYears() {
        Duration never = Duration.ofMillis(Long.MAX_VALUE);
        assertThat(new BackOff(Duration.ofMillis(1), never, never).giveUpAfter())
                .isEqualTo(Duration.ofDays(36_500));
        assertThat(new BackOff(never, never, never).pauseAfter(100)).isEqualTo(Duration.ofDays(36_500));
        assertThatThrownBy(() -> Durations.positive("the limit", Duration.ZERO)).hasMessageContaining("the limit");
    }

    @Test
    void neitherUserNorPasswordIsEverShown() {
        Broker broker = at("amqp://somebody:secret@example.org");
        assertThat(broker.toString()).contains("example.org").doesNotContain("secret", "somebody");
        assertThatThrownBy(() -> at("amqp://somebody:sec%ret@exa mple").factory())
                .hasMessageNotContaining("sec%ret")
                .hasNoCause();
        assertThat(new Credentials.Resolved("somebody", "secret").toString()).doesNotContain("secret", "somebody");
    }

    @Test
    void credentialsAreReadFromFilesAtEveryConnect(@TempDir Path secrets) throws Exception {
        Path user = Files.writeString(secrets.resolve("user"), "somebody\n");
        Path password = Files.writeString(secrets.resolve("password"), "secret\n");
        Broker broker = new Broker(
                new RMQConnectionConfig.Builder().setUri("amqp://example.org").build(),
                Credentials.fromFiles(user.toString(), password.toString()),
                null);
        assertThat(broker.factory().getUsername()).isEqualTo("somebody");
        Files.writeString(password, "rotated");
        assertThat(broker.factory().getPassword()).isEqualTo("rotated");
        Files.delete(user);
        assertThatThrownBy(broker::factory).hasMessageContaining(user.toString());
        assertThatThrownBy(() -> Credentials.fromEnvironment("WEIR_NOT_SET_USER", "WEIR_NOT_SET")
                        .resolve())
                .hasMessageContaining("WEIR_NOT_SET_USER");
    }

    /** As every log line does: it must neither touch the files nor depend on them. */
    @Test
    void sayingWhereTheBrokerIsLooksNoCredentialsUp() {
        Broker broker = new Broker(
                new RMQConnectionConfig.Builder().setUri("amqp://example.org/v").build(),
                Credentials.fromFiles("/nowhere/user", "/nowhere/password"),
                Tls.trusting("/nowhere/ca.pem"));
        assertThat(broker).hasToString("Broker[example.org:5671 (virtual host v)]");
    }

    @Test
    void theUserNameThatABrokerPutsIntoAReplyIsHidden() {
        AMQP.Channel.Close close = new AMQP.Channel.Close.Builder()
                .replyCode(AMQP.PRECONDITION_FAILED)
                .replyText("PRECONDITION_FAILED - user_id property set to 'x' but authenticated user was 'some'body'")
                .build();
        ShutdownSignalException signal = new ShutdownSignalException(false, false, close, null);
        assertThat(Reason.of(new IOException(signal)))
                .isEqualTo(
                        "406 PRECONDITION_FAILED - user_id property set to (hidden) but authenticated user was (hidden)");
        assertThat(Reason.withoutNames(new IOException(signal))).isNull();
        IOException other = new IOException("Connection refused");
        assertThat(Reason.withoutNames(other)).isSameAs(other);
    }

    @Test
    void aLimitOfConnectionsIsWaitedForAndNamesNobody() {
        IOException full =
                closed("NOT_ALLOWED - access to vhost '/' refused for user 'so:me': connection limit (1) is reached");

        assertThat(Reason.isRefusal(full)).isFalse();
        assertThat(Reason.of(full)).contains("connection limit (1)").doesNotContain("so:me");
        assertThat(Reason.isRefusal(closed("NOT_ALLOWED - vhost /none not found")))
                .isTrue();
    }

    private static IOException closed(String text) {
        AMQP.Connection.Close close = new AMQP.Connection.Close.Builder()
                .replyCode(AMQP.NOT_ALLOWED)
                .replyText(text)
                .build();
        return new IOException(new ShutdownSignalException(true, false, close, null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "amqp://alice:7/Ab+c@host",
                "amqp://alice:7?Ab+c@host",
                "amqp://alice:7#Ab+c@host",
                "amqp://alice:7#Ab+c"
            })
    void aPasswordThatIsNotEncodedIsNotTakenForAPortAndAVirtualHost(String uri) {
        assertThatThrownBy(() -> at(uri).open("test", socket -> {}))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("percent-encoded")
                .hasMessageNotContaining("Ab+c")
                .hasMessageNotContaining("alice");
    }

    @Test
    void credentialsAreReadFromTheEnvironment() throws Exception {
        // Any two variables that are there.
        Credentials.Resolved found = Credentials.fromEnvironment("PATH", "HOME").resolve();
        assertThat(found.user()).isEqualTo(System.getenv("PATH"));
        assertThat(found.password()).isEqualTo(System.getenv("HOME"));
    }

    @Test
    void pausesDoubleUpToTheLongest() {
        BackOff backOff = new BackOff(Duration.ofMillis(100), Duration.ofSeconds(1), Duration.ofMinutes(1));
        assertThat(backOff.pauseAfter(1)).hasMillis(100);
        assertThat(backOff.pauseAfter(3)).hasMillis(400);
        assertThat(backOff.pauseAfter(5)).hasMillis(1_000);
        assertThat(backOff.pauseAfter(1_000)).hasMillis(1_000);
    }
}
