package dev.weir.dsm.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.FileInfo;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Registration;
import dev.weir.testing.ScratchDatabase;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What comes for a known id, and for a dataset that has closed. */
class KnownRegistrationsTest {

    private ScratchDatabase database;
    private Catalogue catalogue;
    private Registrations registrations;

    @BeforeEach
    void open() throws SQLException {
        database = ScratchDatabase.create();
        catalogue = Catalogue.open(database.jdbcUrl(), database.user(), database.password(), 2);
        registrations = new Registrations(catalogue);
    }

    @AfterEach
    void close() throws SQLException {
        catalogue.close();
        database.close();
    }

    private static Registration file(String dataset, String id, String path) {
        return new Registration.File(id, dataset, path, "file:///store", 7L, "sha256:00", "job");
    }

    private static Registration list(String dataset, String... names) {
        return new Registration.Close("task/close/1", dataset, List.of(names), 1, 1);
    }

    private Map<Integer, InvalidMessage> take(Registration... batch) throws SQLException {
        return registrations.take(List.of(batch));
    }

    private DatasetStatus status(String dataset) throws SQLException {
        return new Datasets(catalogue).status(dataset).orElseThrow();
    }

    private List<FileInfo> files(String dataset) throws SQLException {
        return catalogue.transact(connection -> {
            List<FileInfo> files = new ArrayList<>();
            Datasets.stream(connection, dataset, "file", 0, Long.MAX_VALUE, files::add);
            return files;
        });
    }

    @Test
    void aTaskThatIsSentAgainWithAnotherOutputDatasetUsesItsIdsAgain() throws SQLException {
        take(file("first", "job/1/out", "first/a.1.out"), list("first", "a.1.out"));
        take(file("second", "job/1/out", "second/a.2.out"), list("second", "a.2.out"));

        assertThat(status("first").state()).isEqualTo(DatasetStatus.State.closed);
        assertThat(status("second").state()).isEqualTo(DatasetStatus.State.closed);
        assertThat(files("second")).extracting(FileInfo::url).containsExactly("file:///store/second/a.2.out");
    }

    @Test
    void anAttemptThatRanAgainReplacesWhatItRegisteredBefore() throws SQLException {
        take(file("out", "a/1/out", "out/a.pilot1.out"), file("out", "b/1/out", "out/b.out"));
        take(file("out", "a/1/out", "out/a.pilot2.out"), file("out", "c/1/out", "out/c.out"));

        take(list("out", "a.pilot2.out", "b.out", "c.out"));

        assertThat(status("out").state()).isEqualTo(DatasetStatus.State.closed);
        assertThat(status("out").files()).isEqualTo(3);
        assertThat(files("out")).extracting(FileInfo::name).containsExactly("a.pilot2.out", "b.out", "c.out");
    }

    @Test
    void ofOneIdInABatchTheLastCounts() throws SQLException {
        take(
                file("out", "a/1/out", "out/first.out"),
                file("out", "a/1/out", "out/last.out"),
                file("other", "a/1/out", "other/x.out"));

        assertThat(files("out")).extracting(FileInfo::name).containsExactly("last.out");
        assertThat(files("other")).extracting(FileInfo::name).containsExactly("x.out");
    }

    @Test
    void anIdOfALogIsNoIdOfAFile() throws SQLException {
        take(new Registration.Log("a/1/log", "out", "out/a.log", "file:///store", null, null, "job"));

        assertThat(take(file("out", "a/1/log", "out/a.out")).get(0).getMessage())
                .contains("is the id of a log");
        assertThat(status("out").files()).isZero();
    }

    @Test
    void anIdThatWasKnownBeforeItsPlaceWasKeptIsARepetition() throws SQLException {
        take(file("out", "a/1/out", "out/a.out"));
        database.run("UPDATE registration SET type = NULL, position = NULL");

        assertThat(take(file("out", "a/1/out", "out/b.out"))).isEmpty();

        assertThat(files("out")).extracting(FileInfo::name).containsExactly("a.out");
    }

    @Test
    void aClosedDatasetRefusesWhatIsNewAndTakesRepetitions() throws SQLException {
        take(file("out", "a/1/out", "out/a.out"), list("out", "a.out"));

        Map<Integer, InvalidMessage> refused = take(
                file("out", "a/1/out", "out/a.out"),
                file("out", "b/1/out", "out/b.out"),
                file("out", "b/1/out", "out/b.out"),
                file("out", "a/1/out", "out/other.out"),
                list("out", "a.out"),
                list("out", "b.out"));

        assertThat(refused.keySet()).containsExactly(1, 2, 3, 5);
        assertThat(refused.get(1).getMessage()).contains("out is closed");
        assertThat(refused.get(5).getMessage()).contains("other names");
        assertThat(status("out").state()).isEqualTo(DatasetStatus.State.closed);
        assertThat(files("out")).hasSize(1);
    }

    private static Registration part(int part, int parts, String... names) {
        return new Registration.Close("task/close/" + part, "out", List.of(names), part, parts);
    }

    @Test
    void aRepeatedPartOfAClosedDatasetMustHaveTheSameNamesInAnyOrder() throws SQLException {
        take(file("out", "a", "out/a"), file("out", "b", "out/b"), part(1, 1, "a", "b"));

        assertThat(take(part(1, 1, "b", "a"))).isEmpty();
        assertThat(take(part(1, 1, "a"), part(1, 2, "a", "b"), part(2, 2))).containsOnlyKeys(0, 1, 2);
        assertThat(status("out").parts()).isEqualTo(1);
    }

    @Test
    void aListThatComesAgainWithOtherNamesReplacesTheFirst() throws SQLException {
        take(file("out", "a", "out/a.1"), file("out", "b", "out/b.1"), file("out", "c", "out/c.1"));
        take(part(1, 3, "a.1"), part(2, 3, "b.1"));
        take(file("out", "a", "out/a.2"), file("out", "b", "out/b.2"));

        assertThat(take(part(1, 3, "b.2"), part(2, 3, "a.2"))).isEmpty();
        assertThat(status("out").state()).isEqualTo(DatasetStatus.State.open);
        take(part(3, 3, "c.1"));

        assertThat(status("out").state()).isEqualTo(DatasetStatus.State.closed);
    }

    @Test
    void aDatasetThatDiffersIsComparedAgainWhenItsListIsReplaced() throws SQLException {
        take(file("out", "a", "out/a.2"), file("out", "b", "out/b.2"), part(1, 2, "a.1"), part(2, 2, "b.1"));
        assertThat(status("out").state()).isEqualTo(DatasetStatus.State.mismatch);

        take(part(1, 2, "a.2"));
        take(part(1, 2, "a.2"));
        assertThat(status("out").missing()).isEqualTo(2);
        take(part(2, 2, "b.2"));

        assertThat(status("out").state()).isEqualTo(DatasetStatus.State.closed);
    }

    @Test
    void aListThatComesAgainMayHaveMoreOrFewerParts() throws SQLException {
        take(file("out", "a", "out/a"), file("out", "b", "out/b"));
        take(part(1, 1, "c"));
        take(part(1, 3, "a"));
        assertThat(status("out").parts()).isEqualTo(3);
        take(part(3, 3, "c"));

        take(part(2, 2, "b"));

        assertThat(status("out").state()).isEqualTo(DatasetStatus.State.closed);
    }

    /** The number of missing names changes only with a comparison. */
    @Test
    void aDatasetThatDiffersIsComparedWhenAsMuchHasComeAsIsMissing() throws SQLException {
        String[] names = IntStream.range(0, 5).mapToObj(i -> i + ".out").toArray(String[]::new);
        take(list("out", names));
        for (int i = 0; i < 4; i++) {
            take(file("out", i + "/1/out", "out/" + names[i]));
            assertThat(status("out").missing()).isEqualTo(5);
        }

        take(file("out", "4/1/out", "out/" + names[4]));

        assertThat(status("out").state()).isEqualTo(DatasetStatus.State.closed);
    }

    /** Each comparison finds them among the unexpected, so the next one takes twice as many. */
    @Test
    void filesOfNoListAreComparedMoreAndMoreSeldom() throws SQLException {
        take(list("out", "a.out"));
        int comparisons = 0;
        for (int i = 0; i < 64; i++) {
            take(file("out", i + "/1/out", "out/" + i + ".out"));
            comparisons += database.value("SELECT changes FROM dataset").equals("0") ? 1 : 0;
        }

        assertThat(comparisons).isEqualTo(7);
    }

    @Test
    void anEntryThatIsReplacedByWhatIsMissingClosesItsDataset() throws SQLException {
        take(file("out", "a/1/out", "out/a.1.out"), list("out", "a.2.out"));
        assertThat(status("out").state()).isEqualTo(DatasetStatus.State.mismatch);
        assertThat(status("out").missingNames()).containsExactly("a.2.out");
        assertThat(status("out").unexpectedNames()).containsExactly("a.1.out");

        take(file("out", "a/1/out", "out/a.2.out"));

        assertThat(status("out").state()).isEqualTo(DatasetStatus.State.closed);
    }

    @Test
    void aFileThatIsNotOnItsTasksStorageIsFoundWhereItIs() throws SQLException {
        List<String> urls = List.of(
                "https://other.example/x/a b.out",
                "file:///elsewhere/x/c.out",
                "file:///d.out",
                "https://u@other.example:8443/e.out");
        for (String url : urls) {
            assertThat(take(file("out", url, url))).isEmpty();
        }

        assertThat(files("out")).extracting(FileInfo::url).containsExactlyElementsOf(urls);
        assertThat(files("out").get(0).storageUrl()).isEqualTo("https://other.example");
        assertThat(take(file("out", "up", "https://other.example/../a.out"))).containsOnlyKeys(0);
    }
}
