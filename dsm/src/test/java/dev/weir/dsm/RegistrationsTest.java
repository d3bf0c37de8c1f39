package dev.weir.dsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.MessageProperties;
import dev.weir.connectors.dsm.DsmReader;
import dev.weir.connectors.dsm.DsmReaderOptions;
import dev.weir.dsm.catalogue.DatasetStatus;
import dev.weir.dsm.register.RegisterOptions;
import dev.weir.protocol.DatasetPage;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Json;
import dev.weir.protocol.Names;
import dev.weir.protocol.Registration;
import dev.weir.protocol.Rejected;
import dev.weir.testing.ScratchBroker;
import dev.weir.testing.ScratchDatabase;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Registrations through a broker; every test on the embedded broker and on a real one if there is one. */
@Timeout(120)
class RegistrationsTest {

    private ScratchDatabase database;
    private ScratchBroker broker;
    private DsmServer dsm;

    static Stream<ScratchBroker> brokers() {
        return ScratchBroker.createAll().stream();
    }

    @BeforeEach
    void make() throws Exception {
        database = ScratchDatabase.create();
    }

    @AfterEach
    void stop() throws Exception {
        if (dsm != null) {
            dsm.close();
        }
        if (broker != null) {
            broker.close();
        }
        database.close();
    }

    private void start(ScratchBroker on) throws Exception {
        broker = on;
        dsm = DsmServer.start(DsmOptions.local(
                database.jdbcUrl(),
                database.user(),
                database.password(),
                RegisterOptions.at(on.uri())
                        .withNames(on.name(Names.DSM_REGISTER), on.name(Names.REJECTED), on.name(Names.SEND_REJECTED))
                        .withSizes(50, 20)
                        .withPauses(Duration.ofMillis(10), Duration.ofMillis(100))));
    }

    private void send(List<?> messages) throws Exception {
        try (Connection connection = broker.connect()) {
            Channel channel = connection.createChannel();
            channel.queueDeclare(broker.name(Names.DSM_REGISTER), true, false, false, null);
            channel.confirmSelect();
            for (Object message : messages) {
                byte[] body =
                        message instanceof String text ? text.getBytes(StandardCharsets.UTF_8) : Json.write(message);
                channel.basicPublish("", broker.name(Names.DSM_REGISTER), MessageProperties.PERSISTENT_BASIC, body);
            }
            channel.waitForConfirmsOrDie(30_000);
        }
    }

    private static Registration file(int index) {
        return new Registration.File(
                "f-" + index,
                "out",
                "set/job-" + index + "/x." + index + ".1.out",
                "file:///store",
                10L + index,
                "sha256:00",
                "job-" + index);
    }

    private static Registration log(int index) {
        return new Registration.Log(
                "l-" + index,
                "out",
                "set/job-" + index + "/x." + index + ".1.log",
                "file:///store",
                null,
                null,
                "job-" + index);
    }

    private static Registration close(int part, int parts, List<String> names) {
        return new Registration.Close("c-" + part, "out", names, part, parts);
    }

    private static List<String> names(int from, int to) {
        return IntStream.range(from, to)
                .boxed()
                .flatMap(i -> Stream.of("x." + i + ".1.out", "x." + i + ".1.log"))
                .toList();
    }

    private DatasetStatus awaitState(DatasetStatus.State state) {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> dsm.status("out").map(DatasetStatus::state).orElse(null) == state);
        try {
            return dsm.status("out").orElseThrow();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private int httpStatus(String path) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(dsm.url() + path)).build(),
                        HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private List<Rejected> awaitRejected(int count) {
        List<Rejected> rejected = new ArrayList<>();
        // DSM makes the queue when it has connected.
        await().atMost(Duration.ofSeconds(30))
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> {
                    broker.drain(broker.name(Names.REJECTED))
                            .forEach(body -> rejected.add(Json.read(body, Rejected.class)));
                    return rejected.size() >= count;
                });
        return rejected;
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void aDatasetThatClosesIsServedAsAnInputWithUrlsThatLeadToItsFiles(ScratchBroker on) throws Exception {
        start(on);
        List<Registration> messages = new ArrayList<>();
        IntStream.range(0, 100).forEach(i -> Collections.addAll(messages, file(i), log(i)));
        messages.add(close(1, 1, names(0, 100)));
        send(messages);

        DatasetStatus status = awaitState(DatasetStatus.State.closed);

        assertThat(status.files()).isEqualTo(100);
        assertThat(status.logs()).isEqualTo(100);
        try (DsmReader reader = new DsmReader(DsmReaderOptions.at(dsm.url()))) {
            DatasetPage page = reader.page("out", 0, 1000).get();
            assertThat(page.data())
                    .extracting(FileInfo::url)
                    .containsExactlyElementsOf(IntStream.range(0, 100)
                            .mapToObj(i -> "file:///store/set/job-" + i + "/x." + i + ".1.out")
                            .toList());
            assertThat(page.data().get(7).size()).isEqualTo(17);
        }
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void anOpenDatasetMakesItsReadersWait(ScratchBroker on) throws Exception {
        start(on);
        send(List.of(file(0), file(1)));
        await().until(() -> dsm.status("out").map(DatasetStatus::files).orElse(0L) == 2);

        assertThat(httpStatus("/dataset/out?offset=0&limit=10")).isEqualTo(503);
        assertThat(httpStatus("/dataset/out?open=true")).isEqualTo(200);
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void repeatedAndShuffledRegistrationsGiveTheSameDataset(ScratchBroker on) throws Exception {
        start(on);
        List<Registration> messages = new ArrayList<>();
        for (int twice = 0; twice < 2; twice++) {
            IntStream.range(0, 60).forEach(i -> Collections.addAll(messages, file(i), log(i)));
            messages.add(close(1, 3, names(0, 20)));
            messages.add(close(2, 3, names(20, 40)));
            messages.add(close(3, 3, names(40, 60)));
        }
        Collections.shuffle(messages, new Random(11));
        send(messages);

        await().until(() -> dsm.registrationsTaken() == messages.size());
        DatasetStatus status = awaitState(DatasetStatus.State.closed);

        assertThat(status.files()).isEqualTo(60);
        assertThat(status.logs()).isEqualTo(60);
        assertThat(status.missing()).isZero();
    }

    /** The names that are gone behind its back show when it compares. */
    @ParameterizedTest
    @MethodSource("brokers")
    void aRepetitionIsNotWorthComparingAllNamesAgain(ScratchBroker on) throws Exception {
        start(on);
        send(List.of(file(0), file(1), close(1, 1, List.of("x.0.1.out", "x.1.1.out", "x.2.1.out"))));
        awaitState(DatasetStatus.State.mismatch);
        database.run("DELETE FROM entry WHERE name = 'x.1.1.out'");

        send(List.of(file(0), close(1, 1, List.of("x.0.1.out", "x.1.1.out", "x.2.1.out"))));
        await().until(() -> dsm.registrationsTaken() == 5);
        assertThat(dsm.status("out").orElseThrow().missing()).isEqualTo(1);

        send(List.of(log(0)));
        await().until(() -> dsm.registrationsTaken() == 6);
        assertThat(dsm.status("out").orElseThrow().missing()).isEqualTo(2);
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void aDatasetClosesOnlyWhenAllPartsHaveArrived(ScratchBroker on) throws Exception {
        start(on);
        send(List.of(file(0), log(0), close(2, 2, List.of("x.0.1.log"))));
        await().until(() -> dsm.registrationsTaken() == 3);
        assertThat(dsm.status("out").orElseThrow().state()).isEqualTo(DatasetStatus.State.open);

        send(List.of(close(1, 2, List.of("set/job-0/x.0.1.out"))));

        awaitState(DatasetStatus.State.closed);
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void aCheckListThatTellsOtherNamesShowsAsMismatchUntilTheMissingFileComes(ScratchBroker on) throws Exception {
        start(on);
        send(List.of(file(0), close(1, 1, List.of("x.0.1.out", "x.1.1.out"))));

        DatasetStatus status = awaitState(DatasetStatus.State.mismatch);

        assertThat(status.missing()).isEqualTo(1);
        assertThat(status.missingNames()).containsExactly("x.1.1.out");
        assertThat(status.unexpected()).isZero();
        assertThat(status.unexpectedNames()).isEmpty();
        send(List.of(file(1)));
        awaitState(DatasetStatus.State.closed);
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void aDatasetThatDiffersFromItsCheckListIsNotServedAsIfItWereWhole(ScratchBroker on) throws Exception {
        start(on);
        send(List.of(file(0), close(1, 1, List.of("x.0.1.out", "x.1.1.out"))));
        awaitState(DatasetStatus.State.mismatch);

        assertThat(httpStatus("/dataset/out?offset=0&limit=10")).isEqualTo(503);
        assertThat(httpStatus("/dataset/out?open=true")).isEqualTo(200);
        send(List.of(file(1)));
        awaitState(DatasetStatus.State.closed);
        assertThat(httpStatus("/dataset/out?offset=0&limit=10")).isEqualTo(200);
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void whatIsMalformedGoesToTheRejectedQueueAndTheRestIsTaken(ScratchBroker on) throws Exception {
        start(on);
        dsm.addStorage("fixed", "file:///fixed");
        List<Object> messages = new ArrayList<>(List.of(
                file(0),
                "not json",
                "",
                "[]",
                "{\"type\":\"file\"}",
                "{\"type\":\"explode\",\"id\":\"x\"}",
                new Registration.File("esc-1", "out", "../../etc/passwd", "file:///store", 1L, null, "j"),
                new Registration.File("esc-2", "out", "a/..", "file:///store", 1L, null, "j"),
                new Registration.File("dir", "out", "a/b/", "file:///store", 1L, null, "j"),
                new String(Json.write(file(3)), StandardCharsets.UTF_8).replace(":13,", ":-1,"),
                new Registration.File("sto", "out", "a/b", "no-such-storage", 1L, null, "j"),
                new Registration.File("nul", "out", "a/b\0c", "file:///store", 1L, null, "j"),
                new String(Json.write(file(2)), StandardCharsets.UTF_8).replace("f-2", "i".repeat(5000)),
                new Registration.File("n\0", "out", "a/b", "file:///store", 1L, null, "j"),
                new Registration.File("own", "nowhere", "a/b", "no-such-storage", 1L, null, "j")));
        messages.add(file(1));
        send(messages);

        List<Rejected> rejected = awaitRejected(14);

        await().until(() -> dsm.status("out").map(DatasetStatus::files).orElse(0L) == 2);
        assertThat(rejected).hasSize(14).allSatisfy(one -> {
            assertThat(one.reason()).isNotBlank();
            assertThat(one.queue()).isEqualTo(broker.name(Names.DSM_REGISTER));
        });
        assertThat(rejected)
                .filteredOn(one -> one.reason().contains("not JSON"))
                .extracting(one -> new String(Base64.getDecoder().decode(one.bodyBase64()), StandardCharsets.UTF_8))
                .contains("not json");
        assertThat(rejected).extracting(Rejected::reason).anyMatch(reason -> reason.contains("no-such-storage"));
        assertThat(dsm.status("nowhere")).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void aRejectedMessageIsKeptWhileItsExchangeLeadsToNoQueue(ScratchBroker on) throws Exception {
        String exchange = on.name(Names.SEND_REJECTED);
        try (Connection connection = on.connect()) {
            Channel channel = connection.createChannel();
            channel.exchangeDeclare(exchange, "direct", true);
            start(on);
            send(List.of("not json", file(0)));
            // The batch has been taken, so the rejected message is on its way.
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> dsm.status("out").map(DatasetStatus::files).orElse(0L) == 1);
            channel.queueBind(on.name(Names.REJECTED), exchange, "rejected");

            assertThat(awaitRejected(1)).hasSize(1);
        }
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void nothingIsLostWhenTheDatabaseBreaksInTheMiddle(ScratchBroker on) throws Exception {
        start(on);
        List<Registration> messages = new ArrayList<>();
        IntStream.range(0, 3000).forEach(i -> messages.add(file(i)));
        for (int slice = 0; slice < 3000; slice += 500) {
            send(messages.subList(slice, slice + 500));
            database.breakConnections();
        }

        // The connection that this question takes may be one that was broken.
        await().atMost(Duration.ofSeconds(60))
                .ignoreExceptionsInstanceOf(SQLException.class)
                .until(() -> dsm.status("out").map(DatasetStatus::files).orElse(0L) == 3000);
        assertThat(database.value("SELECT count(DISTINCT position) || ' ' || max(position) FROM entry"))
                .isEqualTo("3000 2999");
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void aDsmThatStartsAgainGoesOnWhereTheLastOneStopped(ScratchBroker on) throws Exception {
        start(on);
        send(IntStream.range(0, 400).mapToObj(RegistrationsTest::file).toList());
        dsm.close();
        send(IntStream.range(400, 800).mapToObj(RegistrationsTest::file).toList());

        start(on);

        await().until(() -> dsm.status("out").map(DatasetStatus::files).orElse(0L) == 800);
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void aQueueThatIsDeletedIsMadeAgain(ScratchBroker on) throws Exception {
        start(on);
        send(List.of(file(0)));
        await().until(() -> dsm.registrationsTaken() == 1);
        try (Connection connection = broker.connect()) {
            connection.createChannel().queueDelete(broker.name(Names.DSM_REGISTER));
        }

        await().atMost(Duration.ofSeconds(30)).until(() -> {
            send(List.of(file(1)));
            return dsm.status("out").map(DatasetStatus::files).orElse(0L) == 2;
        });
    }

    @ParameterizedTest
    @MethodSource("brokers")
    void registrationsForADatasetThatWasNeverOpenAreRejected(ScratchBroker on) throws Exception {
        start(on);
        java.nio.file.Path empty = java.nio.file.Files.createTempDirectory("dsm");
        dsm.addDirectory("out", empty, (files, ofFiles, bytes) -> {});
        java.nio.file.Files.delete(empty);
        send(List.of(file(0), close(1, 1, List.of())));

        assertThat(awaitRejected(2)).allSatisfy(one -> assertThat(one.reason()).contains("not an output"));
        assertThat(dsm.status("out").orElseThrow().files()).isZero();
    }
}
