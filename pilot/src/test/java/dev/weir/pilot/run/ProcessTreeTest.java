package dev.weir.pilot.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class ProcessTreeTest {

    private static final int LOOKS = 300;

    @TempDir
    Path directory;

    @Test
    @Timeout(60)
    void aProcessThatHasDiedHandsNoChildrenOnBecauseItsNumberMayBeAnotherOnes() throws Exception {
        Process foreign = new ProcessBuilder("sleep", "60").start();
        try {
            ProcessTree tree =
                    new ProcessTree(dead(foreign.toHandle()), UUID.randomUUID().toString());

            assertThat(tree.seen()).isEmpty();
            assertThat(tree.end(Duration.ofSeconds(1))).isEmpty();
            assertThat(foreign.isAlive()).isTrue();
        } finally {
            foreign.destroyForcibly();
        }
    }

    /** A handle whose number is now that of another process, with a child. */
    private static ProcessHandle dead(ProcessHandle child) {
        return (ProcessHandle) Proxy.newProxyInstance(
                ProcessHandle.class.getClassLoader(),
                new Class<?>[] {ProcessHandle.class},
                (self, method, arguments) -> {
                    return switch (method.getName()) {
                        case "isAlive", "equals" -> false;
                        case "descendants" -> Stream.of(child);
                        case "hashCode" -> 1;
                        case "pid" -> Long.MAX_VALUE;
                        default -> throw new UnsupportedOperationException(method.getName());
                    };
                });
    }

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
