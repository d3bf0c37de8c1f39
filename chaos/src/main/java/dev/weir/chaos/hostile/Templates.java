package dev.weir.chaos.hostile;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Random;

/**
 * Messages that are right, about things of their own: tasks of datasets that DSM does not know, in a pool without pilots; commands and
 * reports about these; requests to queues of their own. So one that stays right when it is spoilt touches nothing of the good traffic.
 */
final class Templates {

    /** Begins the name of everything that they are about. */
    static final String MARK = "hostile-";

    private static final int PILOTS = 200;
    private static final int GROUPS = 50;
    private static final int ONE_WITH_FILES_IN = 50;
    private static final int ONE_WITH_STORAGE_IN = 50;
    private static final int MOST_RANK = 1000;

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> ABOUT_A_TASK =
            List.of("rank", "cancel", "pause", "resume", "close", "retry_failed", "priority");
    private static final List<String> ABOUT_A_POOL = List.of("pool_pause", "pool_resume", "pool_drain");
    private static final List<String> ABOUT_A_PILOT = List.of("pilot_drain", "pilot_exclude", "pilot_include");

    private final Random random;
    private final EntryTemplates entries;
    private final Instant begin;
    private long number;

    /** @param begin time of the first message; each later one says that it is a millisecond younger */
    Templates(Random random, Instant begin) {
        this.random = random;
        entries = new EntryTemplates(random);
        this.begin = begin;
    }

    ObjectNode next(Door door) {
        number++;
        return switch (door) {
            case TASKS -> task();
            case COMMANDS -> command();
            case REPORTS -> report();
            case PAGES ->
                JSON.createObjectNode()
                        .put("task_uid", someTask())
                        .put("dataset_uid", MARK + "in-" + random.nextInt(PILOTS))
                        .put("offset", random.nextInt(MOST_RANK))
                        .put("limit", 1 + random.nextInt(MOST_RANK));
            case ITEMS, DONE, ASKS -> entries.next(door, number);
        };
    }

    /** Fields without which a message means nothing; all are in those of {@link #next}. */
    static List<String> required(Door door, ObjectNode message) {
        return switch (door) {
            case TASKS ->
                List.of(
                        "uid",
                        "executable",
                        "device_type",
                        "mode",
                        "dat_in_uid",
                        "dat_out_uid",
                        "dat_stor_url",
                        "dat_out_url");
            case COMMANDS -> List.of("id", "at", "type");
            case REPORTS ->
                message.has("status")
                        ? List.of("type", "pilot_id", "pool", "job_uid", "attempt", "status")
                        : message.has("pilot_id") ? List.of("type", "pilot_id", "pool") : List.of("type");
            case PAGES -> List.of("task_uid", "dataset_uid", "offset", "limit");
            case ITEMS, DONE, ASKS -> EntryTemplates.required(message);
        };
    }

    private ObjectNode task() {
        ObjectNode task = JSON.createObjectNode()
                .put("uid", MARK + number)
                .put("executable", "program")
                .put("args", "{file_in}")
                .put("rank", random.nextInt(MOST_RANK))
                .put("device_type", random.nextBoolean() ? "CPU" : "GPU")
                .put("mode", random.nextBoolean() ? "Map" : "Merge")
                .put("retry", random.nextInt(3))
                .put("dat_in_uid", MARK + "in-" + random.nextInt(PILOTS))
                .put("dat_out_uid", MARK + "out-" + number)
                .put("dat_stor_url", "file:///hostile")
                .put("dat_out_url", "out/" + number)
                .put("owner", MARK + random.nextInt(PILOTS))
                .put("pool", Hostility.POOL);
        if (random.nextInt(ONE_WITH_FILES_IN) == 0) {
            task.putArray("targets").addObject().put("name", "f").put("storage_url", "file:///hostile");
        }
        if (random.nextInt(ONE_WITH_STORAGE_IN) == 0) {
            task.put("dat_stor_id", MARK + "storage");
        }
        return task;
    }

    private ObjectNode command() {
        ObjectNode command = JSON.createObjectNode()
                .put("id", MARK + number)
                .put("at", begin.plusMillis(number).toString())
                .put("by", MARK + "operator");
        switch (random.nextInt(10)) {
            case 0 ->
                command.put("type", "limit")
                        .put("group", MARK + random.nextInt(GROUPS))
                        .put("max_in_flight", random.nextInt(MOST_RANK));
            case 1 -> command.put("type", one(ABOUT_A_POOL)).put("pool", Hostility.POOL);
            case 2 -> command.put("type", one(ABOUT_A_PILOT)).put("pilot_id", MARK + "pilot-" + random.nextInt(PILOTS));
            default -> {
                String type = one(ABOUT_A_TASK);
                command.put("type", type).put("task_uid", someTask());
                if (type.equals("rank")) {
                    command.put("rank", random.nextInt(MOST_RANK));
                } else if (type.equals("priority")) {
                    command.put("position", random.nextInt(MOST_RANK)).put("priority", 1 + random.nextInt(9));
                }
            }
        }
        return command;
    }

    private ObjectNode report() {
        String sent = begin.plusMillis(number).toString();
        int what = random.nextInt(20);
        if (what == 0) {
            return JSON.createObjectNode()
                    .put("type", "beat")
                    .put("sent_at", sent)
                    .put("route", "0/0/weir");
        }
        ObjectNode report = JSON.createObjectNode();
        report.put("type", what < 7 ? "heartbeat" : what < 13 ? "status" : "result")
                .put("pilot_id", MARK + "pilot-" + random.nextInt(PILOTS))
                .put("pool", Hostility.POOL)
                .put("sent_at", sent);
        if (what < 3) {
            return report.put("state", "idle");
        }
        String task = someTask();
        report.put("job_uid", "%s.0.%016x".formatted(task, random.nextLong()))
                .put("attempt", 1 + random.nextInt(3))
                .put("route", "0/0/" + task);
        if (what < 7) {
            report.put("state", "busy");
        } else if (what < 13) {
            report.put("status", random.nextBoolean() ? "starting" : "running");
        } else {
            report.put("status", one(List.of("finished", "failed", "killed", "cancelled")))
                    .put("exit_code", random.nextInt())
                    .put("error_message", "it did not work")
                    .put("file_out_url", "file:///hostile/out/" + number)
                    .put("file_out_size", random.nextInt(MOST_RANK))
                    .put("file_out_checksum", "sha256:00");
        }
        return report;
    }

    /** One that came before, or never. */
    private String someTask() {
        return MARK + (1 + (long) (random.nextDouble() * number));
    }

    private String one(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }
}
