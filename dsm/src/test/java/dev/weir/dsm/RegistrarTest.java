package dev.weir.dsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.MessageProperties;
import dev.weir.dsm.register.RegisterOptions;
import dev.weir.protocol.Json;
import dev.weir.protocol.Names;
import dev.weir.protocol.Registration;
import dev.weir.testing.ScratchBroker;
import dev.weir.testing.ScratchDatabase;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What may keep registrations from being taken, and how it shows. */
@Timeout(90)
class RegistrarTest {

    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final int READERS = 12;

    private ScratchDatabase database;
    private ScratchBroker broker;
    private DsmServer dsm;

    @BeforeEach
    void make() throws Exception {
        database = ScratchDatabase.create();
        broker = ScratchBroker.createEmbedded();
    }

    @AfterEach
    void stop() throws Exception {
        if (dsm != null) {
            dsm.close();
        }
        broker.close();
        database.close();
    }

    private void start(String jdbcUrl, Duration stalledAfter) throws Exception {
        RegisterOptions register = RegisterOptions.at(broker.uri())
                .withNames(
                        broker.name(Names.DSM_REGISTER), broker.name(Names.REJECTED), broker.name(Names.SEND_REJECTED))
                .withStalledAfter(stalledAfter);
        dsm = DsmServer.start(DsmOptions.local(jdbcUrl, database.user(), database.password(), register));
    }

    private void send(Registration message) throws Exception {
        try (Connection connection = broker.connect()) {
            Channel channel = connection.createChannel();
            channel.queueDeclare(broker.name(Names.DSM_REGISTER), true, false, false, null);
            channel.confirmSelect();
            channel.basicPublish(
                    "", broker.name(Names.DSM_REGISTER), MessageProperties.PERSISTENT_BASIC, Json.write(message));
            channel.waitForConfirmsOrDie(30_000);
        }
    }

    private static Registration file(int index) {
        return new Registration.File(
                "f-" + index, "out", "x." + index + ".out", "file:///store", 10L, null, "job-" + index);
    }

    private void awaitTaken(long count) {
        await().atMost(BOUND).until(() -> dsm.registrationsTaken() >= count);
    }

    private String health() throws Exception {
        var answer = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(dsm.url().resolve("/health")).build(), BodyHandlers.ofString());
        return answer.statusCode() + " " + answer.body();
    }

    @Test
    void readersThatTakeNothingKeepNoRegistrationAndNoShortQuestionWaiting() throws Exception {
        start(database.jdbcUrl(), BOUND);
        database.run("INSERT INTO dataset (uid, state, files) VALUES ('big', 'closed', 20000)");
        database.run(
                "INSERT INTO entry (dataset_uid, type, position, name, storage_url, path)"
                        + " SELECT 'big', 'file', n, 'n' || n, 'file:///s', repeat('x', 3000) FROM generate_series(0, 19999) n");
        List<Socket> readers = new ArrayList<>();
        try {
            for (int i = 0; i < READERS; i++) {
                readers.add(readerThatTakesNothing());
            }
            send(file(1));

            // Sooner than the server drops readers that take nothing at all.
            await().atMost(Duration.ofSeconds(10)).until(() -> dsm.registrationsTaken() == 1);
            assertThat(HttpClient.newHttpClient()
                            .send(
                                    HttpRequest.newBuilder(URI.create(dsm.url() + "/dataset/big/status"))
                                            .build(),
                                    BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(200);
        } finally {
            for (Socket reader : readers) {
                reader.close();
            }
        }
    }

    /** It has read the beginning of the answer, so a connection to the database is in use for it, or it was turned away. */
    private Socket readerThatTakesNothing() throws Exception {
        Socket reader = new Socket();
        reader.setReceiveBufferSize(4096);
        reader.connect(new InetSocketAddress(dsm.url().getHost(), dsm.url().getPort()));
        OutputStream out = reader.getOutputStream();
        out.write("GET /dataset/big HTTP/1.1\r\nHost: dsm\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        out.flush();
        assertThat(reader.getInputStream().read()).isEqualTo('H');
        return reader;
    }

    @Test
    void aDatabaseThatFallsSilentShowsInHealthAndRegistrationsGoOnWhenItSpeaks() throws Exception {
        URI server = URI.create(database.jdbcUrl().substring("jdbc:".length()));
        try (SilentProxy proxy = new SilentProxy(server.getHost(), server.getPort())) {
            start(
                    "jdbc:postgresql://127.0.0.1:" + proxy.port() + server.getPath() + "?socketTimeout=1",
                    Duration.ofSeconds(1));
            send(file(1));
            awaitTaken(1);
            await().atMost(BOUND).until(() -> health().equals("200 {\"status\":\"up\"}"));

            // Nothing waits: it shows before the first registration does.
            proxy.fallSilent();
            await().atMost(BOUND).until(() -> health().startsWith("503 {\"status\":\"down\""));

            send(file(2));
            proxy.speakAgain();
            awaitTaken(2);
            await().atMost(BOUND).until(() -> health().startsWith("200"));
        }
    }
}
