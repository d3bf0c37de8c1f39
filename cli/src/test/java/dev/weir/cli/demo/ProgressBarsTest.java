package dev.weir.cli.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import sun.misc.Signal;

class ProgressBarsTest {

    private static final Path SCRIPT = Path.of("/usr/bin/script");
    private static final int CTRL_C = 3;
    private static final String SHOWN = "bars are shown";
    private static final String IN_ORDER = "stopped in order";

    @Test
    @Timeout(60)
    void onATerminalCtrlCStillReachesItsHandler() throws Exception {
        assumeThat(SCRIPT).isExecutable();
        // Without exec some shells (dash) stay, hear Ctrl-C too, and answer for what they ran.
        String java = "exec " + Path.of(System.getProperty("java.home"), "bin", "java") + " -cp '"
                + System.getProperty("java.class.path") + "' '" + Shower.class.getName() + "'";
        // It runs the command on a separate terminal.
        Process terminal = new ProcessBuilder(SCRIPT.toString(), "-qec", java, "/dev/null")
                .redirectErrorStream(true)
                .start();
        try (BufferedReader screen = new BufferedReader(new InputStreamReader(terminal.getInputStream(), UTF_8))) {
            StringBuilder seen = new StringBuilder();
            for (String line = screen.readLine(); line != null; line = screen.readLine()) {
                seen.append(line).append('\n');
                if (line.contains(SHOWN)) {
                    terminal.getOutputStream().write(CTRL_C);
                    terminal.getOutputStream().flush();
                }
            }
            assertThat(seen).contains("count, rank 4", SHOWN, IN_ORDER);
            assertThat(terminal.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(terminal.exitValue()).isZero();
        } finally {
            terminal.descendants().forEach(ProcessHandle::destroyForcibly);
            terminal.destroyForcibly();
        }
    }

    /** Shows bars until it is interrupted. */
    public static final class Shower {
        private Shower() {}

        public static void main(String[] arguments) throws InterruptedException {
            CountDownLatch interrupted = new CountDownLatch(1);
            Signal.handle(new Signal("INT"), number -> interrupted.countDown());
            try (ProgressView bars = ProgressView.on(System.out, true)) {
                bars.show(List.of(new Progress(TestTasks.task("count", 64, 1), 7, null, null, null)));
                System.out.println(SHOWN);
                if (interrupted.await(30, TimeUnit.SECONDS)) {
                    System.out.println(IN_ORDER);
                }
            }
        }
    }
}
