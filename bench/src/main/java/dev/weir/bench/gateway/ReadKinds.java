package dev.weir.bench.gateway;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/** What people, WFMS and dashboards read of a loaded mirror. A tenth of the tasks that are asked for are of the largest two, a fifth of the next twenty. */
final class ReadKinds {

    private static final int UID_HASH = 16;

    private final LoadedMirror mirror;
    private final Random random = new Random(1);

    ReadKinds(LoadedMirror mirror) {
        this.mirror = mirror;
    }

    List<Kind> all() {
        return List.of(
                new Kind("a task", 12, () -> "/task/" + uid(anyTask())),
                new Kind("counts of a task's jobs", 20, () -> "/task/" + uid(anyTask()) + "/summary/jobs"),
                new Kind("counts of a task's outputs", 6, () -> "/task/" + uid(anyTask()) + "/summary/files"),
                new Kind("counts of all pools", 3, () -> "/pool"),
                new Kind("the overview", 3, () -> "/overview"),
                new Kind("100 open tasks, newest first", 8, () -> "/task?state=open"),
                new Kind("100 tasks of all, newest first", 4, () -> "/task"),
                new Kind("100 closed tasks of a pool", 3, () -> "/task?state=closed&pool=" + (coin() ? "cpu" : "gpu")),
                new Kind("tasks of an owner", 4, () -> "/task?owner=user" + random.nextInt(500)),
                new Kind(
                        "tasks whose uid begins so",
                        4,
                        () -> "/task?search=" + uid(anyTask()).substring(0, 10)),
                new Kind("100 jobs of a task", 14, () -> "/task/" + uid(anyTask()) + "/job"),
                new Kind("100 failed jobs of a task", 6, () -> "/task/" + uid(anyTask()) + "/job?status=Failed"),
                new Kind("running jobs of a task", 4, () -> "/task/" + uid(anyTask()) + "/job?status=Running"),
                new Kind("a job", 6, () -> "/job/" + anyJob()),
                new Kind("100 pilots", 3, () -> "/pilot?pool=cpu"));
    }

    private boolean coin() {
        return random.nextBoolean();
    }

    private static String uid(long task) {
        return LoadedMirror.taskUid(task);
    }

    private long anyTask() {
        int dice = random.nextInt(10);
        if (dice == 0) {
            return random.nextInt(2);
        }
        return dice < 3 ? random.nextInt(LoadedMirror.LARGE_TASKS) : random.nextInt((int) mirror.tasks());
    }

    private String anyJob() {
        long task = anyTask();
        while (LoadedMirror.waits(task)) {
            task = anyTask();
        }
        long position = (long) (random.nextDouble() * mirror.jobsOf(task));
        byte[] text = (uid(task) + position).getBytes(StandardCharsets.UTF_8);
        try {
            String hash = HexFormat.of()
                    .formatHex(MessageDigest.getInstance("MD5").digest(text))
                    .substring(0, UID_HASH);
            return uid(task) + "." + position + "." + hash;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no MD5", e);
        }
    }
}
