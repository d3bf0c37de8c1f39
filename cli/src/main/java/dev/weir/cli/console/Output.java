package dev.weir.cli.console;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.concurrent.TimeUnit;

/** Where standard output goes. */
public final class Output {

    private static final long LIMIT_SECONDS = 5;

    private Output() {}

    /**
     * Whether it goes to a terminal; true when that cannot be found out. {@link System#console} says it of input and output together, and on some
     * versions of Java of neither, so the system is asked.
     */
    public static boolean isTerminal() {
        try {
            Process test = new ProcessBuilder("sh", "-c", "[ -t 1 ]")
                    .redirectOutput(Redirect.INHERIT)
                    .start();
            return !test.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || test.exitValue() == 0;
        } catch (IOException e) {
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
