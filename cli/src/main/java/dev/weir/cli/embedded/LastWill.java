package dev.weir.cli.embedded;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;

/**
 * What becomes of a child when this process dies without a word, as by {@code kill -9}: a tiny shell holds the other end of a
 * pipe; when the pipe breaks before the will is revoked, it sends the child a signal.
 */
final class LastWill {

    private final Process executor;

    private LastWill(Process executor) {
        this.executor = executor;
    }

    /** If we die, this process gets SIGINT. */
    static LastWill interrupt(long pid) throws IOException {
        // Ctrl-C reaches the whole foreground group; the shell must outlive it to see how we end.
        String script = "trap '' INT TERM HUP; read revoked || kill -INT " + pid;
        return new LastWill(new ProcessBuilder("sh", "-c", script)
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD)
                .start());
    }

    /** The child is gone or in other hands. */
    void revoke() throws IOException {
        try (OutputStream pipe = executor.getOutputStream()) {
            pipe.write("revoked\n".getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Dies on purpose, for tests: the same as if this process were killed. */
    void breakPipe() throws IOException {
        executor.getOutputStream().close();
    }
}
