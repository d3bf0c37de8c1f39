package dev.weir.pilot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.pilot.run.Processes;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.Json;
import dev.weir.protocol.NodeInfo;
import dev.weir.protocol.Result;
import dev.weir.protocol.Result.Outcome;
import dev.weir.testing.ScratchBroker;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pilot as its users start it: a process of its own, with little memory. */
class PilotProcessTest {

    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    Path temp;

    private final String word = UUID.randomUUID().toString();
    private final List<Process> processes = new ArrayList<>();
    private Rig rig;

    @BeforeEach
    void makeQueues() throws IOException {
        rig = new Rig(ScratchBroker.create(), temp).withQueues().hearing();
        rig.jobs.program("child", "trap '' TERM; while true; do sleep 0.1; done");
        rig.jobs.program("stubborn", "trap '' TERM; " + rig.jobs.bin() + "/child $1 & while true; do sleep 0.1; done");
    }

    @AfterEach
    void nothingIsLeftBehind() throws IOException {
        processes.forEach(Process::destroyForcibly);
        rig.close();
        assertThat(Processes.with(word)).isEmpty();
    }

    @Test
    void itRunsJobsInLittleMemoryTellsOfItsNodeAndEndsWithASummary() throws Exception {
        rig.jobs.program("quick", "echo done");
        rig.jobs.program(
                "nvidia-smi",
                "[ \"$1\" = -L ] && ! env | grep WEIR_ && echo 'GPU 0: A100 (UUID: a)' && echo 'GPU 1: A100 (UUID: b)'");
        Map<String, String> path = Map.of("PATH", rig.jobs.bin() + ":" + System.getenv("PATH"));
        for (int i = 0; i < 5; i++) {
            rig.give("cpu", rig.jobs.job("j" + i, "quick", ""));
        }
        Process pilot = start(path, "p1", "--max-jobs", "5", "--json", "--amqp-file", "-");
        assertThat(pilot.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(pilot.exitValue()).as(printed("p1")).isZero();
        String last = printed("p1").lines().reduce((a, b) -> b).orElseThrow();
        assertThat(last).startsWith("{\"pilot_id\":\"p1\",\"jobs\":5,\"finished\":5,\"failed\":0");
        NodeInfo node = rig.reports.stream()
                .filter(Heartbeat.class::isInstance)
                .map(report -> ((Heartbeat) report).node())
                .findFirst()
                .orElseThrow();
        assertThat(node.gpus()).isEqualTo(2);
        assertThat(node.cores()).isPositive();
        assertThat(node.memory()).isGreaterThan(1 << 20);
    }

    @Test
    void withoutACommandForGpusOrWhenItFailsTheirNumberIsUnknown() {
        assertThat(Node.gpus(List.of(temp + "/nvidia-smi"))).isNull();
        assertThat(Node.gpus(List.of("false"))).isNull();
        assertThat(Node.gpus(List.of("true"))).isZero();
    }

    /** Batch systems may hand on the variables of the machine from which a pilot was submitted. */
    @Test
    void aNodeHasTheKernelsNameAndOnlyWithoutThatOneTheVariables() throws IOException {
        Path kernel = Files.writeString(temp.resolve("hostname"), "node7\n");
        assertThat(Node.host(kernel, "login1")).isEqualTo("node7");
        assertThat(Node.host(temp.resolve("none"), "login1")).isEqualTo("login1");
    }

    @Test
    void theSlotsOfAProcessRunJobsSideBySide() throws Exception {
        rig.jobs.program("meet", "touch " + temp + "/$1; until [ -e " + temp + "/$2 ]; do sleep 0.05; done; echo met");
        rig.give("cpu", rig.jobs.job("j1", "meet", "one two"));
        rig.give("cpu", rig.jobs.job("j2", "meet", "two one"));
        Process pilots = start("p1", "--slots", "2", "--max-jobs", "1", "--json", "--amqp-file", "-");
        assertThat(pilots.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(pilots.exitValue()).as(printed("p1")).isZero();
        String last = printed("p1").lines().reduce((a, b) -> b).orElseThrow();
        assertThat(last).startsWith("{\"pilot_id\":\"p1\",\"jobs\":2,\"finished\":2,\"failed\":0");
        assertThat(List.of(rig.result("j1").pilotId(), rig.result("j2").pilotId()))
                .containsExactlyInAnyOrder("p1-1", "p1-2");
    }

    @Test
    void aTerminatedPilotKillsItsJobTellsItAndEnds() throws Exception {
        rig.give("cpu", rig.jobs.job("j1", "stubborn", word));
        Process pilot = start("p1", "--kill-grace", "200ms");
        await().atMost(SOON)
                .until(() -> Processes.with(rig.jobs.bin() + "/child").size() == 1);
        pilot.destroy();
        assertThat(pilot.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(pilot.exitValue()).isEqualTo(143);
        assertThat(Processes.with(word)).isEmpty();
        assertThat(rig.result("j1").status()).isEqualTo(Outcome.KILLED);
        assertThat(printed("p1")).contains("Pilot p1 ended: the process got a signal to end");
    }

    @Test
    void whatAPilotThatDiedAtOnceLeavesIsEndedAndToldByTheNext() throws Exception {
        rig.give("cpu", rig.jobs.job("j1", "stubborn", word));
        Process pilot = start("p1");
        await().atMost(SOON)
                .until(() -> Processes.with(rig.jobs.bin() + "/child").size() == 1);
        pilot.destroyForcibly();
        assertThat(pilot.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(Processes.with(word)).isNotEmpty();

        rig.launch("p2", "cpu");
        Result result = rig.result("j1");
        assertThat(result.pilotId()).isEqualTo("p1");
        assertThat(result.status()).isEqualTo(Outcome.KILLED);
        assertThat(Processes.with(word)).isEmpty();
    }

    @Test
    void itEndsWithTheProcessThatItFollows() throws Exception {
        Process parent = new ProcessBuilder("sleep", "300").start();
        processes.add(parent);
        Process pilot = start("p1", "--parent", String.valueOf(parent.pid()));
        await().atMost(SOON).until(() -> !rig.reports.isEmpty());
        parent.destroy();
        assertThat(pilot.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(printed("p1")).contains("is gone");
    }

    @Test
    void aNameThatItsLocaleCannotWriteFailsTheJobAndNotThePilot() throws Exception {
        rig.jobs.program("both", "echo out > \"$1\"; echo log > \"$2\"");
        String job = new String(Json.write(rig.jobs.job("j1", "both", "{file_out} {file_log}")), UTF_8);
        rig.give("cpu", job.replace("j1.0.1.log", "日.log").getBytes(UTF_8));
        rig.give("cpu", rig.jobs.job("j2", "both", "{file_out} {file_log}"));
        rig.give("cpu", rig.jobs.job("j3", "both", "日 {file_log}"));
        Process pilot = start(Map.of("LC_ALL", "C"), "p1", "--max-jobs", "3");
        assertThat(pilot.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(pilot.exitValue()).as(printed("p1")).isZero();
        assertThat(rig.result("j1").errorMessage()).contains("日.", "LC_ALL=C.UTF-8");
        assertThat(rig.result("j2").status()).isEqualTo(Outcome.FINISHED);
        assertThat(rig.result("j3").errorMessage()).contains("the argument '日'");
    }

    @Test
    void aJobFindsTheBrokersPasswordInNoEnvironmentAndNoCommandLine() throws Exception {
        rig.jobs.program(
                "spy", "env; for f in environ cmdline; do echo $f; tr '\\0' '\\n' < /proc/$PPID/$f; done; echo done");
        rig.give("cpu", rig.jobs.job("j1", "spy", ""));
        Map<String, String> mark = Map.of("WEIR_RUN", "of-another-pilot");
        Process pilot = start(mark, "p1", "--max-jobs", "1");
        assertThat(pilot.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        String url = Rig.broker(rig.settings("p1", false, "cpu")).url();
        assertThat(Path.of(URI.create(rig.result("j1").fileOutUrl())))
                .content()
                .contains(
                        "environ\n",
                        "WEIR_AMQP_URL=***",
                        "WEIR_RUN=of-another-pilot",
                        PilotCommand.class.getName(),
                        "done")
                .doesNotContain(url);
    }

    @Test
    void aJobFindsNoOtherVariableOfWeirInTheEnvironmentOfThePilot() throws Exception {
        rig.jobs.program("spy", "tr '\\0' '\\n' < /proc/$PPID/environ");
        rig.give("cpu", rig.jobs.job("j1", "spy", ""));
        Process pilot = start(Map.of("WEIR_OTHER", "secret"), "p1", "--max-jobs", "1", "--amqp-file", "-");
        assertThat(pilot.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(Path.of(URI.create(rig.result("j1").fileOutUrl()))).content().contains("WEIR_OTHER=******");
    }

    private Process start(String id, String... more) throws IOException {
        return start(Map.of(), id, more);
    }

    private Process start(Map<String, String> environment, String id, String... more) throws IOException {
        PilotSettings settings = rig.settings(id, false, "cpu");
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                PilotCommand.class.getName(),
                "--id",
                id,
                "--executables",
                rig.jobs.bin().toString(),
                "--storage-root",
                rig.jobs.data().toString(),
                "--work-dir",
                settings.workDirectory().toString(),
                "--jobs-prefix",
                Rig.broker(settings).jobsPrefix(),
                "--exchange",
                Rig.broker(settings).exchange(),
                "--notices",
                Rig.broker(settings).noticesExchange()));
        line.addAll(List.of(more));
        ProcessBuilder builder = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(temp.resolve(id + ".printed").toFile());
        String url = Rig.broker(settings).url();
        boolean typed = line.contains("--amqp-file");
        builder.environment().put("WEIR_AMQP_URL", typed ? "" : url);
        builder.environment().putAll(environment);
        Process process = builder.start();
        try (Writer input = process.outputWriter()) {
            input.write(typed ? url + "\n" : "");
        }
        processes.add(process);
        return process;
    }

    private String printed(String id) throws IOException {
        return Files.readString(temp.resolve(id + ".printed"));
    }
}
