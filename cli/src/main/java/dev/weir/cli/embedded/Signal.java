package dev.weir.cli.embedded;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;

/** Signals that Java has no call for. */
final class Signal {

    private Signal() {}

    /** Sends the signal of this name; a process that is gone already is none of our business. */
    static void send(String name, long pid) throws IOException {
        new ProcessBuilder("kill", "-" + name, String.valueOf(pid))
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD)
                .start();
    }
}
