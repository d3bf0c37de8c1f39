package dev.weir.cli.console;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.ProcessBuilder.Redirect;
import java.util.concurrent.TimeUnit;

/** Where standard output goes. */
public final class Output {

    private static final long LIMIT_SECONDS = 5;

    private Output() {}

    /** Whoever read standard output has gone, as {@code head} does when it has enough. */
    public static final class ReaderGone extends IOException {

        /** What a shell gives for a program that SIGPIPE has ended. */
        public static final int EXIT_CODE = 141;

        private static final long serialVersionUID = 1;

        private ReaderGone(IOException cause) {
            super("nobody reads standard output any more", cause);
        }
    }

    /**
     * Sends on what was printed to it.
     *
     * @throws IOException when that has not arrived. A writer keeps its errors to itself: without this nobody would learn that the disk is full, and
     *     a watch would go on without its reader
     */
    public static void flush(PrintWriter out) throws IOException {
        if (out.checkError() || System.out.checkError()) {
            throw failure();
        }
    }

    /** Called after a write to standard output failed: why. Java's writers do not tell, so another byte is tried. */
    private static IOException failure() {
        if (System.out.checkError()) {
            try {
                new FileOutputStream(FileDescriptor.out).write('\n');
            } catch (IOException e) {
                return String.valueOf(e.getMessage()).contains("Broken pipe")
                        ? new ReaderGone(e)
                        : new IOException("standard output cannot be written: " + e.getMessage(), e);
            }
        }
        return new IOException("standard output cannot be written");
    }

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
