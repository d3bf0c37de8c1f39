package dev.weir.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramsTest {

    @TempDir
    Path directory;

    private Path in;
    private Path out;

    @BeforeEach
    void install() throws IOException {
        Programs.install(directory);
        in = Files.writeString(directory.resolve("a file"), "to be, or not to be\n");
        out = directory.resolve("out");
    }

    @Test
    void eachProgramDoesWhatItsNameSays() throws Exception {
        assertThat(run("checksum", in, out)).isZero();
        assertThat(Files.readString(out))
                .startsWith("6cdc65bd4440e1008fda8a014a66c5ae20a9b753d404532916f9729173a8f99a");
        assertThat(run("compress", in, out)).isZero();
        assertThat(Files.readAllBytes(out)).startsWith(0x1f, 0x8b);
        assertThat(run("count", in, out)).isZero();
        assertThat(Files.readString(out).strip().split("\\s+")).containsExactly("1", "6", "20");
        assertThat(run("fingerprint", in, out)).isZero();
        assertThat(Files.readString(out)).contains(" 20");
    }

    @Test
    void mergeAddsUpTheCountsOfAllFilesInItsList() throws Exception {
        Path one = Files.writeString(directory.resolve("one"), " 1 6 20\n");
        Path two = Files.writeString(directory.resolve("two"), "      2       3      30\n");
        Path list = Files.writeString(directory.resolve("list"), one + "\n" + two);

        assertThat(run("merge", list, out)).isZero();
        assertThat(Files.readAllLines(out)).containsExactly("1 6 20", "2 3 30", "total 3 9 50");
    }

    @Test
    void pickyRejectsSomeSizesAlwaysAndOthersAtTheFirstAttempt() throws Exception {
        assertThat(run("picky", in, out, 1, 13, 20 % 13, 0)).isEqualTo(3);
        assertThat(run("picky", in, out, 2, 13, 20 % 13, 0)).isEqualTo(3);
        assertThat(run("picky", in, out, 1, 13, 0, 20 % 13)).isEqualTo(4);
        assertThat(out).doesNotExist();
        assertThat(run("picky", in, out, 2, 13, 0, 20 % 13)).isZero();
        assertThat(out).exists();
    }

    @Test
    void someFilesAreRejectedAlwaysSomeAtFirstAndMostNever() {
        List<Long> sizes = List.of(13L, 26L, 39L, 1L, 14L, 2L);
        Pickiness pickiness = Pickiness.ofSizes(sizes);
        assertThat(pickiness.never()).isEqualTo(2);
        assertThat(pickiness.later()).isEqualTo(1);
    }

    @Test
    void aDatasetOfFilesOfOneSizeIsNotRejectedAltogether() {
        assertThat(Pickiness.ofSizes(List.of(5L, 5L))).isEqualTo(new Pickiness(13, 13, 13));
    }

    @Test
    void classesOfTheImageReplaceFilesThatTheJavaHomeDoesNotHave() throws IOException {
        Path home = Path.of(System.getProperty("java.home"));
        assertThat(new JdkFiles(home).copy("no-such-directory", "no.such.module", 7, directory.resolve("d")))
                .isEqualTo(7);
        assertThat(new JdkFiles(home).copy("lib", "java.xml", 3, directory.resolve("e")))
                .isEqualTo(3);
        assertThat(directory.resolve("e/lib")).isNotEmptyDirectory();
    }

    private int run(String program, Object... arguments) throws Exception {
        String[] command = new String[arguments.length + 1];
        command[0] = directory.resolve(program).toString();
        for (int i = 0; i < arguments.length; i++) {
            command[i + 1] = arguments[i].toString();
        }
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
