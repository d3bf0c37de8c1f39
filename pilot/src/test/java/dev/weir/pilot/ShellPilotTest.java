package dev.weir.pilot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.pilot.run.Processes;
import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Job;
import dev.weir.protocol.Json;
import dev.weir.protocol.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Whom {@code docs/pilot.sh} blames when a program does not start, what it takes for an output, and that it lives and ends as it is told to. */
class ShellPilotTest extends ShellPilot {

    @Test
    void aProgramThatNoNodeCouldStartIsExecutableAndItsOwnExitCodeIsNot() throws IOException {
        Files.writeString(jobs.bin().resolve("unformed"), "no program\n");
        assertThat(jobs.bin().resolve("unformed").toFile().setExecutable(true)).isTrue();
        jobs.program("quick", "exit $1");
        start(SYSTEM_PATH);
        for (Job job : List.of(
                jobs.job("e1", "none", ""), jobs.job("e2", "unformed", ""), jobs.job("e3", "quick", "'unclosed"))) {
            Result result = result(job);
            assertThat(result.errorType()).as(job.uid()).isEqualTo(ErrorType.EXECUTABLE);
            assertThat(result.errorMessage()).as(job.uid()).isNotEmpty();
        }
        // As a shell ends that finds no program.
        Result own = result(jobs.job("x", "quick", "127"));
        assertThat(own.errorType()).isEqualTo(ErrorType.EXIT);
        assertThat(own.exitCode()).isEqualTo(127);
        assertThat(result(jobs.job("f", "quick", "0")).status()).isEqualTo(Result.Outcome.FINISHED);
    }

    @Test
    void aPilotWhoseStorageIsSilentSendsHeartbeatsAndStopsWhenItIsToldTo() throws IOException {
        jobs.program("quick", "exit 0");
        hurryTime();
        unwanted = overHttp(jobs.job("s1", "quick", ""), exchange -> {});
        start(jobs.bin() + ":" + SYSTEM_PATH);
        Result result = result(unwanted);

        assertThat(busyBeats.get()).isGreaterThanOrEqualTo(3);
        assertThat(result.status()).isEqualTo(Result.Outcome.CANCELLED);
        unwanted = null;
        assertThat(result(jobs.job("s2", "quick", "")).status()).isEqualTo(Result.Outcome.FINISHED);
    }

    @Test
    void whatAProgramPrintsIsItsOutputUnlessTheArgumentsNameOne() throws IOException {
        jobs.program("stray", "echo stray > out; echo printed");
        jobs.program("named", "echo whole > \"$1\"; echo printed");
        jobs.program("quick", "echo printed; exit $1");
        jobs.program("suicide", "echo half; kill -9 $$");
        start(SYSTEM_PATH);
        Result stray = result(jobs.job("o1", "stray", ""));
        assertThat(output(stray)).hasContent("printed");
        assertThat(stray.fileOutUrl()).containsPattern("/o1[.]0[.]1[.]p1-[0-9a-f]{6}[.]out$");
        assertThat(stray.fileLogUrl()).containsPattern("/o1[.]0[.]1[.]p1-[0-9a-f]{6}[.]log$");
        Result named = result(jobs.job("o2", "named", "{file_out}"));
        assertThat(output(named)).hasContent("whole");
        assertThat(named.fileOutUrl()).containsPattern("/o2[.]0[.]1[.]p1-[0-9a-f]{6}[.]out$");
        try (var stored = Files.list(output(named).getParent())) {
            assertThat(stored).hasSize(2);
        }

        Result without = result(jobs.job("o3", "quick", "0 {file_out}"));
        assertThat(without.errorType()).isEqualTo(ErrorType.EXIT);
        assertThat(without.errorMessage()).contains("{file_out}");
        jobs.program("quick", "exit $1");
        for (Result none :
                List.of(without, result(jobs.job("o4", "quick", "3")), result(jobs.job("o5", "suicide", "")))) {
            assertThat(none.fileOutUrl()).as(none.jobUid()).isNull();
            assertThat(none.fileLogUrl()).as(none.jobUid()).isNotNull();
        }
        assertThat(results.get("o5").status()).isEqualTo(Result.Outcome.KILLED);
    }

    @Test
    void anOutputThatCannotBeStoredIsStageOutAndItsLogIsStored() throws IOException {
        jobs.program("quick", "echo done");
        Path taken = Files.createFile(jobs.data().resolve("taken"));
        ObjectNode job = Json.mapper().valueToTree(jobs.job("u1", "quick", ""));
        job.put("file_out_url", "file://" + taken + "/u1.out");
        start(SYSTEM_PATH);
        Result result = result(Json.read(Json.write(job), Job.class));

        assertThat(result.errorType()).isEqualTo(ErrorType.STAGE_OUT);
        assertThat(result.errorMessage()).contains("taken");
        assertThat(result.fileLogUrl()).isNotNull();
    }

    /** Its size goes into a file of the pilot, for which a full disk has no room. */
    @Test
    void anOutputWhoseSizeCannotBeKeptIsNotReported() throws IOException {
        jobs.program("quick", "echo done");
        jobs.program("sed", "case $2 in '$s'*) exit 4 ;; esac; PATH=" + SYSTEM_PATH + "; exec sed \"$@\"");
        start(jobs.bin() + ":" + SYSTEM_PATH);
        Result result = result(jobs.job("u2", "quick", ""));

        assertThat(result.errorType()).isEqualTo(ErrorType.STAGE_OUT);
        assertThat(result.fileOutUrl()).isNull();
    }

    @Test
    void aProgramThatIgnoresItsEndIsKilled() throws IOException {
        jobs.program("stubborn", "trap '' TERM; while true; do sleep 0.1; done");
        hurryTime();
        unwanted = jobs.job("k1", "stubborn", "");
        start(jobs.bin() + ":" + SYSTEM_PATH);

        assertThat(result(unwanted).status()).isEqualTo(Result.Outcome.CANCELLED);
    }

    @Test
    void aPilotThatIsEndedLeavesNeitherItsProgramNorItsFiles() throws Exception {
        jobs.program("forever", "while true; do sleep 0.1; done");
        waiting.add(jobs.job("e1", "forever", temp.toString()));
        start(SYSTEM_PATH);
        await().atMost(SOON)
                .until(() -> !Processes.with(jobs.bin() + "/forever").isEmpty());
        shell.destroy();

        assertThat(shell.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(shell.exitValue()).isEqualTo(143);
        assertThat(Processes.with(jobs.bin() + "/forever")).isEmpty();
        assertThat(temp.resolve("tmp")).isEmptyDirectory();
        assertThat(results.get("e1").status()).isEqualTo(Result.Outcome.KILLED);
    }

    @Test
    void aPilotWhoseRequestIsNotAnsweredEndsWhenItIsToldTo() throws Exception {
        silent = true;
        start(SYSTEM_PATH);
        await().atMost(SOON).until(() -> unanswered);
        shell.destroy();

        assertThat(shell.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(shell.exitValue()).isEqualTo(143);
    }

    @Test
    void aPilotThatIsEndedWhileItStoresAnOutputLeavesNoPartOfIt() throws Exception {
        jobs.program("quick", "echo done");
        jobs.program("python3", """
                lines=$2 && shift 2
                slow='import shutil, time; shutil.copyfile = lambda a, b: (open(b, "w").close(), time.sleep(60))'
                case $lines in *shutil*) lines="$slow; $lines" ;; esac
                PATH=%s; exec python3 -c "$lines" "$@"
                """.formatted(SYSTEM_PATH));
        Path stored = jobs.data().resolve("out/w1");
        waiting.add(jobs.job("w1", "quick", ""));
        start(jobs.bin() + ":" + SYSTEM_PATH);
        await().atMost(SOON).until(() -> Files.exists(stored) && stored.toFile().list().length > 0);
        shell.destroy();

        assertThat(shell.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(stored).isEmptyDirectory();
    }

    @Test
    void aPilotWithoutAPlaceForItsFilesEndsAndLeavesThoseOfItsCallerAlone() throws Exception {
        Path here = Files.createDirectory(temp.resolve("here"));
        ProcessBuilder builder = prepared(SYSTEM_PATH).directory(here.toFile());
        builder.environment().put("TMPDIR", "/nonexistent");
        shell = builder.start();

        assertThat(shell.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(shell.exitValue()).isEqualTo(1);
        assertThat(here).isEmptyDirectory();
    }

    @Test
    void aTokenThatIsRenewedIsReadAgain() throws IOException {
        jobs.program("wait", "until [ -e " + jobs.data() + "/go ]; do sleep 0.1; done; echo done");
        jobs.program("sleep", "exec /bin/sleep 0.1");
        Job job = jobs.job("t1", "wait", "");
        waiting.add(job);
        start(jobs.bin() + ":" + SYSTEM_PATH);
        await().atMost(SOON).until(() -> running);
        token = "renewed";
        jobs.input("go", "");
        await().atMost(SOON).until(() -> results.containsKey("t1") || !shell.isAlive());

        assertThat(results.get("t1").status()).isEqualTo(Result.Outcome.FINISHED);
    }

    /** Here what is to start programs does not start itself, as without memory or processes. */
    @Test
    void aNodeThatCannotStartProgramsIsStageIn() throws IOException {
        jobs.program("quick", "exit 0");
        jobs.program(
                "python3",
                "case \"$*\" in *os.execv*) exit 126 ;; esac; PATH=" + SYSTEM_PATH + "; exec python3 \"$@\"");
        start(jobs.bin() + ":" + SYSTEM_PATH);
        Result result = result(jobs.job("n1", "quick", ""));
        assertThat(result.status()).isEqualTo(Result.Outcome.FAILED);
        assertThat(result.errorType()).isEqualTo(ErrorType.STAGE_IN);
    }
}
