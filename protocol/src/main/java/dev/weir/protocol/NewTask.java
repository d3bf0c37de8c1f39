package dev.weir.protocol;

/**
 * The rules for a new task beyond the ranges of its fields; no pilot could run a task that violates them. They are not in
 * {@link Task} itself, because an accepted task must stay readable from saved state when rules are added.
 */
public final class NewTask {

    private NewTask() {}

    /**
     * Returns the task.
     *
     * @throws InvalidMessage when the task would write to the dataset that it reads, when {@code dat_stor_url} has no scheme or no
     *     location, when a text or the list of targets is longer than the protocol page allows, when a Merge task makes too many jobs of its targets, when {@code args} contain a NUL, an open quote or a backslash at the end, when the executable contains a NUL, or when one of these or a URL has half a surrogate pair
     */
    public static Task check(Task task) {
        if (!Urls.isStorage(task.datStorUrl())) {
            throw new InvalidMessage(
                    "dat_stor_url",
                    // Its value stays out: of what is no URL the password cannot be told.
                    "dat_stor_url must be a URL such as file:///data or https://host/path");
        }
        if (task.datInUid().equals(task.datOutUid())) {
            throw new InvalidMessage(
                    "dat_out_uid",
                    "dat_out_uid must be another dataset than dat_in_uid, got '" + task.datOutUid() + "'");
        }
        // DSM could not tell the path of its outputs from the URL of a file elsewhere.
        if (task.datOutUrl().contains("://")) {
            throw new InvalidMessage("dat_out_url", "dat_out_url must be a directory below dat_stor_url, without ://");
        }
        Check.bytes("executable", task.executable(), Limits.MAX_URL_BYTES);
        Check.bytes("args", task.args(), Limits.MAX_ARGS_BYTES);
        Check.bytes("dat_stor_url", task.datStorUrl(), Limits.MAX_URL_BYTES);
        Check.bytes("dat_out_url", task.datOutUrl(), Limits.MAX_OUTPUT_DIRECTORY_BYTES);
        if (task.datStorId() != null) {
            Check.bytes("dat_stor_id", task.datStorId(), Limits.MAX_URL_BYTES);
        }
        Check.label("owner", task.owner());
        Check.label("ranker", task.ranker());
        Check.atMost("targets", task.targets(), Limits.MAX_TARGETS);
        if (task.mode() == Mode.MERGE && task.filesPerJob() != null) {
            int jobs = (task.targets().size() - 1) / task.filesPerJob() + 1;
            if (jobs > Limits.MAX_MERGE_JOBS_OF_TARGETS) {
                throw new InvalidMessage(
                        "files_per_job",
                        "files_per_job " + task.filesPerJob() + " makes " + jobs + " jobs of "
                                + task.targets().size()
                                + " targets; a Merge task has at most " + Limits.MAX_MERGE_JOBS_OF_TARGETS
                                + " jobs of targets. Raise files_per_job, or register the files as a dataset");
            }
        }
        Check.characters("executable", task.executable());
        Check.characters("args", task.args());
        Check.characters("dat_stor_url", task.datStorUrl());
        Check.characters("dat_out_url", task.datOutUrl());
        if (task.executable().indexOf('\0') >= 0) {
            throw new InvalidMessage("executable", "executable must not hold a NUL character");
        }
        if (task.args().indexOf('\0') >= 0) {
            throw new InvalidMessage("args", "args must not hold a NUL character");
        }
        try {
            Arguments.split(task.args());
        } catch (IllegalArgumentException e) {
            throw new InvalidMessage("args", e.getMessage(), e);
        }
        return task;
    }
}
