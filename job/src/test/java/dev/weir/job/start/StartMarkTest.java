package dev.weir.job.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.weir.job.options.MirrorOptions;
import dev.weir.sql.Migrations;
import dev.weir.testing.ScratchDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartMarkTest {

    @TempDir
    Path directory;

    private ScratchDatabase database;

    @BeforeEach
    void create() throws Exception {
        database = ScratchDatabase.create();
        var unused = Migrations.WEIR.apply(database.jdbcUrl(), database.user(), database.password());
    }

    @AfterEach
    void drop() throws Exception {
        database.close();
    }

    private Configuration host(String name) {
        Configuration settings = new Configuration();
        settings.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                directory.resolve(name).toUri().toString());
        settings.set(MirrorOptions.URL, database.jdbcUrl());
        settings.set(MirrorOptions.USER, database.user());
        settings.set(MirrorOptions.PASSWORD, database.password());
        return settings;
    }

    /** A place with a checkpoint that was brought there. */
    private void bring(String host) throws IOException {
        new Written(Files.createDirectories(directory.resolve(host).resolve("schedule"))).complete("chk-1", 1, 1000);
    }

    private void start(String host, StartFrom from) throws IOException {
        StartMark.check(WeirJob.SCHEDULE, host(host), from).orElseThrow().put();
    }

    private void start(String host) throws IOException {
        start(host, StartFrom.NEWEST);
    }

    private void assertThatItIsRefused(String host, StartFrom from, String last) throws IOException {
        assertThatIOException()
                .isThrownBy(() -> start(host, from))
                .withMessageContaining(marks(host).get(0).substring("started-".length()))
                .withMessageContaining(marks(last).get(0).substring("started-".length()))
                .withMessageContaining(
                        directory.resolve(host).resolve("schedule").toString())
                .withMessageContaining(
                        directory.resolve(last).resolve("schedule").toString())
                .withMessageContaining("--accept-loss")
                .withMessageContaining("--from schedule=PATH");
    }

    private List<String> marks(String host) throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve(host).resolve("schedule"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("started-"))
                    .toList();
        }
    }

    @Test
    void aHostThatComesBackAfterAnotherHasTakenItsPlaceIsRefusedUntilTheLossIsAccepted() throws Exception {
        start("first");
        start("first");
        bring("second");
        start("second");

        assertThatItIsRefused("first", StartFrom.NEWEST, "second");
        start("second");
        start("first", StartFrom.NEWEST.withLossAccepted());
        start("first");
        assertThatItIsRefused("second", StartFrom.NEWEST, "first");
    }

    @Test
    void aCopyFromBeforeTheLastStartIsRefused() throws Exception {
        start("first");
        Path copy = Files.createDirectories(directory.resolve("copy/schedule"));
        Files.createFile(copy.resolve(marks("first").get(0)));
        start("first");

        assertThatItIsRefused("copy", StartFrom.NEWEST, "first");
    }

    @Test
    void aCrashBetweenTheMarksOfDirectoryAndDatabaseRefusesNothing() throws Exception {
        start("first");
        Files.createFile(directory.resolve("first/schedule/started-and-crashed"));

        start("first");

        assertThat(marks("first")).hasSize(1).doesNotContain("started-and-crashed");
    }

    @Test
    void aSavepointThatAStartNamesCountsButNotWhenTheSameCommandComesAgainAfterAnotherHost() throws Exception {
        StartFrom savepoint = new StartFrom(
                false,
                Map.of(
                        "schedule",
                        new Written(directory).complete("savepoint-x", 7, 1000).toString()),
                false);
        start("first");
        bring("second");
        start("second");

        start("first", savepoint);
        var unused = JobStart.decide(WeirJob.SCHEDULE, host("first"), savepoint, job -> "");
        start("first", savepoint);
        start("second", StartFrom.NEWEST.withLossAccepted());

        assertThatItIsRefused("first", savepoint, "second");
    }

    @Test
    void anEmptyDirectoryIsRefusedOnceTheJobHasStartedElsewhereUnlessItIsMeant() throws Exception {
        start("first");
        Files.createDirectories(directory.resolve("unmounted/schedule"));

        assertThatIOException()
                .isThrownBy(() -> start("unmounted"))
                .withMessageContaining(directory.resolve("unmounted/schedule").toString())
                .withMessageContaining(directory.resolve("first/schedule").toString())
                .withMessageContaining("--accept-loss");
        assertThatIOException()
                .isThrownBy(() -> start(
                        "unmounted",
                        new StartFrom(
                                false,
                                Map.of("schedule", directory.resolve("nothing").toString()),
                                false)))
                .withMessageContaining("no complete checkpoint");
        start("first");
        start("unmounted", StartFrom.NEWEST.withLossAccepted());
    }

    @Test
    void aStartWithEmptyStateThatDidNotGetFarIsRepeatedWithoutARefusal() throws Exception {
        bring("first");
        start("first");
        start("first", StartFrom.EMPTY);
        var unused = JobStart.decide(WeirJob.SCHEDULE, host("first"), StartFrom.EMPTY, job -> "");

        start("first");

        assertThat(marks("first")).hasSize(1);
    }

    @Test
    void emptyStateIsNotOldState() throws Exception {
        start("first");
        bring("second");
        start("second");

        start("first", StartFrom.EMPTY);

        assertThatItIsRefused("second", StartFrom.NEWEST, "first");
    }

    @Test
    void aDatabaseThatDoesNotAnswerOrIsNotUsedStopsNoStartButOneWithoutState() throws Exception {
        start("first");
        bring("second");
        start("second");
        Configuration away = host("first").set(MirrorOptions.URL, database.jdbcUrl() + "_not");
        Configuration without = host("first").set(MirrorOptions.ENABLED, false);

        assertThat(StartMark.check(WeirJob.SCHEDULE, without, StartFrom.NEWEST)).isEmpty();
        assertThatIOException()
                .isThrownBy(() -> StartMark.check(WeirJob.SCHEDULE, away, StartFrom.NEWEST))
                .withMessageContaining("cannot say what that would lose")
                .withMessageContaining("--accept-loss");
        assertThatIOException()
                .isThrownBy(() -> StartMark.check(WeirJob.QUEUES, away, StartFrom.NEWEST))
                .withMessageContaining("weir.queues.enabled");
        bring("first");
        assertThat(StartMark.check(WeirJob.SCHEDULE, away, StartFrom.NEWEST)).isEmpty();
    }
}
