package dev.weir.chaos.world;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** SIGSTOP and SIGCONT, which Java cannot send itself. */
final class Signals {

    private static final int LIMIT_SECONDS = 10;
    private static final int LOOKS = 5;

    private Signals() {}

    /**
     * Stops all processes of a tree, also those that are started meanwhile.
     *
     * @return the stopped ones
     */
    static List<ProcessHandle> pause(Supplier<List<ProcessHandle>> tree) throws IOException, InterruptedException {
        List<ProcessHandle> stopped = new ArrayList<>();
        for (int look = 0; look < LOOKS; look++) {
            List<ProcessHandle> more = new ArrayList<>(tree.get());
            more.removeAll(stopped);
            if (more.isEmpty()) {
                return stopped;
            }
            send("-STOP", more);
            stopped.addAll(more);
        }
        return stopped;
    }

    /** Lets them go on, the last ones first. */
    static void resume(List<ProcessHandle> stopped) throws IOException, InterruptedException {
        List<ProcessHandle> all = new ArrayList<>(stopped);
        java.util.Collections.reverse(all);
        send("-CONT", all);
    }

    private static void send(String signal, List<ProcessHandle> processes) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("kill", signal));
        processes.stream()
                .filter(ProcessHandle::isAlive)
                .forEach(process -> command.add(String.valueOf(process.pid())));
        if (command.size() > 2) {
            Process kill = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            // One that has ended meanwhile makes it fail, and is no error.
            if (!kill.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException(command + " did not end within " + LIMIT_SECONDS + " s");
            }
        }
    }
}
