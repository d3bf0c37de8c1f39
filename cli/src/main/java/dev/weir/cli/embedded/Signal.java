package dev.weir.cli.embedded;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;

/** Signals that Java cannot send. */
final class Signal {

    private Signal() {}

    /** Sends the named signal; ignores a process that has already ended. */
    static void send(String name, long pid) throws IOException {
        new ProcessBuilder("kill", "-" + name, String.valueOf(pid))
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD)
                .start();
    }
}
