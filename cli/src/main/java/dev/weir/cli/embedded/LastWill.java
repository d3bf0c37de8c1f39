package dev.weir.cli.embedded;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;

/**
 * Ends a child process when this process is killed, as by {@code kill -9}: a small shell holds the other end of a
 * pipe and signals the child when the pipe breaks before the will is revoked.
 */
final class LastWill {

    private final Process executor;

    private LastWill(Process executor) {
        this.executor = executor;
    }

    /** Makes a will: when this process dies, the given one gets SIGINT. */
    static LastWill interrupt(long pid) throws IOException {
        // Ctrl-C reaches the whole foreground group; the shell must survive it to see the end of this process.
        String script = "trap '' INT TERM HUP; read revoked || kill -INT " + pid;
        return new LastWill(new ProcessBuilder("sh", "-c", script)
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD)
                .start());
    }

    /** Revokes the will: the child has ended or is stopped in another way. */
    void revoke() throws IOException {
        try (OutputStream pipe = executor.getOutputStream()) {
            pipe.write("revoked\n".getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Executes the will, for tests: has the effect of killing this process. */
    void breakPipe() throws IOException {
        executor.getOutputStream().close();
    }
}
