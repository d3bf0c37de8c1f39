package dev.weir.pilot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.pilot.run.Processes;
import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Job;
import dev.weir.protocol.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Where {@code docs/pilot.sh} runs programs, and what it makes of what they leave, and of inputs that do not come. */
class ShellPilotJobsTest extends ShellPilot {

    @Test
    void theLogHasWhatTheProgramWritesThereAndThenItsErrors() throws IOException {
        jobs.program("logs", "echo errors >&2; echo own > \"$1\"; echo output");
        start(SYSTEM_PATH);
        Result result = result(jobs.job("l1", "logs", "{file_log}"));

        assertThat(output(result)).hasContent("output");
        assertThat(file(result.fileLogUrl())).hasContent("own\nerrors");
    }

    /** What a job leaves there would be found by the next one, or be taken for a module of the pilot. */
    @Test
    void eachJobRunsInADirectoryOfItsOwn() throws IOException {
        jobs.program("look", """
                ls -A . "$TMPDIR"
                echo "$WEIR_JOB_UID $WEIR_TASK_UID $WEIR_ATTEMPT $WEIR_PILOT_ID $WEIR_SLOT ${1##*/}"
                cat "$(cat "$2")"
                echo 'raise SystemExit("not the module")' > json.py
                mkdir shut && touch shut/file "$TMPDIR/file" && chmod 500 shut
                """);
        ProcessBuilder builder = prepared(SYSTEM_PATH).directory(temp.toFile());
        builder.environment().put("PROGRAMS", "bin");
        shell = builder.start();
        for (String uid : List.of("d1", "d2")) {
            Job job =
                    over(jobs.job(uid, "look", "{file_in} {file_in_list}"), jobs.input("{attempt} of " + uid, "in\n"));
            List<String> lines = Files.readAllLines(output(result(job)));
            assertThat(lines.subList(lines.size() - 2, lines.size()))
                    .containsExactly(uid + " task 1 p1 0 {attempt} of " + uid, "in");
            assertThat(lines).doesNotContain("json.py", "shut", "file");
        }
    }

    @Test
    void whatOutlivesItsProgramMayEndByItselfForATimeAndThenTheOutputIsNotWhole() throws IOException {
        jobs.program("late", "(sleep 0.3; echo late) & echo early");
        jobs.program("linger", "sleep 3171 & echo early");
        jobs.program("python3", """
                lines=$2 && shift 2
                case $lines in *'sleep(0.1)'*) [ ! -e %1$s/hurry ] || lines="import time; time.sleep = print; $lines" ;; esac
                PATH=%2$s; exec python3 -c "$lines" "$@"
                """.formatted(temp, SYSTEM_PATH));
        start(jobs.bin() + ":" + SYSTEM_PATH);
        Result late = result(jobs.job("g1", "late", ""));
        assertThat(late.status()).isEqualTo(Result.Outcome.FINISHED);
        assertThat(output(late)).hasContent("early\nlate");

        Files.createFile(temp.resolve("hurry"));
        Result lingering = result(jobs.job("g2", "linger", ""));
        assertThat(lingering.errorType()).isEqualTo(ErrorType.EXIT);
        assertThat(lingering.errorMessage()).contains("left processes behind");
        assertThat(lingering.fileOutUrl()).isNull();
        assertThat(Processes.with("3171")).isEmpty();
    }

    @Test
    void anInputThatTheStorageDoesNotHaveIsMissingAndOneOfAStorageThatIsAwayIsNot() throws IOException {
        jobs.program("copy", "cat \"$1\"");
        String absent = "file://" + Files.createDirectory(jobs.data().resolve("empty")) + "/a";
        jobs.program("python3", """
                lines=$2 && shift 2
                case $lines in *listdir*) lines="import os; look = os.stat
                def fail(path, *rest, **options):
                    if str(path).endswith('/dead'): raise OSError(5, 'Input/output error', path)
                    return look(path, *rest, **options)
                os.stat = fail; $lines" ;; esac
                PATH=%s; exec python3 -c "$lines" "$@"
                """.formatted(SYSTEM_PATH));
        start(jobs.bin() + ":" + SYSTEM_PATH);
        Map<Job, ErrorType> types = Map.of(
                over(jobs.job("m0", "copy", ""), "file://" + jobs.data() + "/dead"), ErrorType.STAGE_IN,
                over(jobs.job("m1", "copy", ""), "file://" + jobs.data() + "/none"), ErrorType.MISSING,
                over(jobs.job("m2", "copy", ""), absent), ErrorType.STAGE_IN,
                overHttp(jobs.job("m3", "copy", ""), exchange -> status(exchange, 404)), ErrorType.MISSING,
                overHttp(jobs.job("m4", "copy", ""), exchange -> status(exchange, 503)), ErrorType.STAGE_IN);
        types.forEach(
                (job, type) -> assertThat(result(job).errorType()).as(job.uid()).isEqualTo(type));

        gateway.createContext("/there", exchange -> answer(exchange, 7));
        Job moved = overHttp(jobs.job("m5", "copy", "{file_in}"), exchange -> {
            exchange.getResponseHeaders().add("Location", "/there");
            status(exchange, 302);
        });
        assertThat(output(result(moved))).hasContent("7");
    }

    @Test
    void aProgramThatLeavesNoRoomOnTheDiskHasNoOutput() throws IOException {
        jobs.program("quick", "echo half; echo reason >&2");
        jobs.program("df", "echo Available; echo 'disk of all 900000 899000 1000 99% /mnt'");
        start(jobs.bin() + ":" + SYSTEM_PATH);
        for (String uid : List.of("f1", "f2")) {
            Result result = result(jobs.job(uid, "quick", ""));
            assertThat(result.errorType()).isEqualTo(ErrorType.DISK_FULL);
            assertThat(result.errorMessage()).contains("1000 KiB");
            assertThat(result.fileOutUrl()).isNull();
            assertThat(file(result.fileLogUrl())).hasContent("reason");
        }
    }
}
