package dev.weir.pilot.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class ProcessTreeTest {

    private static final int LOOKS = 300;

    @TempDir
    Path directory;

    @Test
    @Timeout(120)
    void aMarkedProcessIsFoundAtEveryLookThoughItBeginsOneProgramAfterTheOther() throws Exception {
        Path program = directory.resolve("again");
        Files.writeString(program, "#!/bin/sh\nexec \"$0\"\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        String mark = UUID.randomUUID().toString();
        ProcessBuilder builder = new ProcessBuilder(program.toString());
        builder.environment().put(ProcessTree.MARK, mark);
        Process process = builder.start();
        try {
            for (int i = 0; i < LOOKS; i++) {
                assertThat(new ProcessTree(null, mark).living()).as("look " + i).containsExactly(process.toHandle());
            }
            Set<ProcessHandle> left = new ProcessTree(null, mark).end(Duration.ofSeconds(5));
            assertThat(left).isEmpty();
            assertThat(ProcessTree.lives(process.toHandle())).isFalse();
        } finally {
            process.destroyForcibly();
        }
    }
}
