package dev.weir.chaos.judge;

import dev.weir.protocol.TaskEvent;
import dev.weir.testing.ScratchDatabase;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;

/** Reads what came of tasks from DSM's catalogue and the mirror, which are in one database. */
public final class Outside {

    private static final int MOST_REJECTED = 20;
    private static final int MOST_CHARACTERS = 500;

    private final ScratchDatabase database;

    public Outside(ScratchDatabase database) {
        this.database = database;
    }

    public SeenTask read(String task, List<TaskEvent> events) throws SQLException {
        List<SeenTask.Job> jobs = database
                .rows(
                        "SELECT uid, file_in_url, status, attempt, system_retries, error_message FROM job_all WHERE task_uid = '"
                                + task + "'")
                .stream()
                .map(row -> new SeenTask.Job(
                        row.get(0),
                        row.get(1).substring(row.get(1).lastIndexOf('/') + 1),
                        row.get(2),
                        Integer.parseInt(row.get(3)),
                        Integer.parseInt(row.get(4)),
                        row.get(5)))
                .toList();
        List<SeenTask.Output> outputs = database
                .rows("SELECT job_uid, path || '/' || name FROM entry WHERE type = 'file' AND dataset_uid = '" + task
                        + ".out'")
                .stream()
                .map(row -> new SeenTask.Output(row.get(0), row.get(1)))
                .toList();
        List<List<String>> datasets =
                database.rows("SELECT state, missing, unexpected FROM dataset WHERE uid = '" + task + ".out'");
        return new SeenTask(events, jobs, outputs, datasets.isEmpty() ? null : dataset(datasets.get(0)));
    }

    private static SeenTask.Dataset dataset(List<String> row) {
        return new SeenTask.Dataset(row.get(0), number(row.get(1)), number(row.get(2)));
    }

    private static Long number(String text) {
        return text == null ? null : Long.valueOf(text);
    }

    /** Nothing that is sent here is wrong, so nothing may be rejected. */
    public static List<Violation> rejected(List<byte[]> messages) {
        return messages.stream()
                .limit(MOST_REJECTED)
                .map(body -> new String(body, StandardCharsets.UTF_8))
                .map(text -> text.substring(0, Math.min(text.length(), MOST_CHARACTERS)))
                .map(text -> new Violation("rejected", null, null, text))
                .toList();
    }
}
