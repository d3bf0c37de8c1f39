package dev.weir.connectors.rabbitmq.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.connectors.rabbitmq.broker.Certificates;
import dev.weir.connectors.rabbitmq.broker.FreePort;
import dev.weir.connectors.rabbitmq.broker.PrivateRabbit;
import dev.weir.connectors.rabbitmq.broker.SeenLogs;
import dev.weir.connectors.rabbitmq.broker.TestBroker;
import dev.weir.connectors.rabbitmq.sink.Publishing;
import dev.weir.connectors.rabbitmq.source.Bound;
import dev.weir.connectors.rabbitmq.suite.Jobs;
import dev.weir.connectors.rabbitmq.suite.Tally;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.connectors.rabbitmq.common.RMQConnectionConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS to a RabbitMQ of our own, which wants a client's certificate too. */
class TlsTest {

    private static final String USER = "some-user";
    private static final String PASSWORD = "a-password-that-nobody-shall-see";

    @TempDir
    static Path directory;

    private static final int PORT = FreePort.next();

    private static Certificates certificates;
    private static Credentials credentials;
    private static PrivateRabbit rabbit;

    @BeforeAll
    static void start() throws Exception {
        certificates = Certificates.in(directory);
        Files.writeString(directory.resolve("user"), USER + "\n");
        Files.writeString(directory.resolve("password"), PASSWORD + "\n");
        Files.writeString(directory.resolve("store-password"), Certificates.PASSWORD + "\n");
        credentials = Credentials.fromFiles(
                directory.resolve("user").toString(),
                directory.resolve("password").toString());
        rabbit = PrivateRabbit.orSkip(List.of(
                "listeners.ssl.1 = 127.0.0.1:" + PORT,
                "ssl_options.cacertfile = " + certificates.file("ca.pem"),
                "ssl_options.certfile = " + certificates.file("server.pem"),
                "ssl_options.keyfile = " + certificates.file("server.key"),
                "ssl_options.verify = verify_peer",
                "ssl_options.fail_if_no_peer_cert = true"));
        rabbit.addUser(USER, PASSWORD);
    }

    @AfterAll
    static void stop() throws Exception {
        if (rabbit != null) {
            rabbit.close();
        }
    }

    private static RMQConnectionConfig at(String host) {
        return new RMQConnectionConfig.Builder()
                .setUri("amqps://" + host + ":" + PORT)
                .build();
    }

    private static Tls trusted() {
        return Tls.trusting(certificates.file("ca.pem").toString());
    }

    private static Tls shown() {
        return trusted()
                .withClientCertificate(
                        certificates.file("client.p12").toString(),
                        directory.resolve("store-password").toString());
    }

    private static void connect(String host, Tls tls) throws IOException {
        new Broker(at(host), credentials, tls).open("test", socket -> {}).close();
    }

    @Test
    void theBrokerIsTrustedByItsAuthorityAndItsName() throws Exception {
        connect("localhost", shown());
    }

    @Test
    void aCertificateForAnotherHostIsRefusedForGood() {
        assertThatThrownBy(() -> connect("127.0.0.1", shown()))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("Cannot connect to the broker at 127.0.0.1:" + PORT)
                .hasMessageContaining("No subject alternative names matching IP address 127.0.0.1");
    }

    @Test
    void anAuthorityThatIsNotTrustedIsRefusedForGood() {
        assertThatThrownBy(() -> connect("localhost", Tls.trustingTheRuntime()))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("Cannot connect to the broker at localhost:" + PORT)
                .hasMessageContaining("unable to find valid certification path");
    }

    @Test
    void theBrokerRefusesWhoShowsNoCertificate() {
        assertThatThrownBy(() -> connect("localhost", trusted()))
                .hasMessageContaining("Cannot connect to the broker at localhost:" + PORT);
    }

    @Test
    void sourceAndSinkWorkOverTlsAndLogNeitherUserNorPassword() throws Exception {
        String queue = TestBroker.unique("secret");
        Jobs.fill(rabbit, queue, 0);
        Tally seen = new Tally(queue);
        try (SeenLogs logs = SeenLogs.ofEverything()) {
            var write = Jobs.flink(0);
            write.fromSequence(0, 99)
                    .map(n -> "m" + n)
                    .returns(Types.STRING)
                    .sinkTo(Jobs.sink(rabbit, queue, Publishing.AT_ONCE)
                            .setConnection(at("localhost"))
                            .setCredentials(credentials)
                            .setTls(shown())
                            .build());
            write.execute();
            var read = Jobs.flink(0);
            read.fromSource(
                            Jobs.source(rabbit, queue, DeliveryGuarantee.EXACTLY_ONCE)
                                    .setConnection(at("localhost"))
                                    .setCredentials(credentials)
                                    .setTls(shown())
                                    .setBounded(Bound.untilEmpty())
                                    .build(),
                            WatermarkStrategy.noWatermarks(),
                            "source")
                    .map(seen)
                    .returns(Types.STRING)
                    .sinkTo(new DiscardingSink<>());
            read.execute();
            assertThat(seen.distinct()).isEqualTo(100);
            assertThat(logs.containing("consuming queue " + queue)).isNotEmpty();
            assertThat(logs.containing(PASSWORD)).isEmpty();
            assertThat(logs.containing(USER)).isEmpty();
        }
    }
}
