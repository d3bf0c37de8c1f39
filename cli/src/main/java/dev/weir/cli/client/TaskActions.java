package dev.weir.cli.client;

import picocli.CommandLine.Command;

/** Commands about tasks that need no more than their uids. */
final class TaskActions {

    private TaskActions() {}

    /** {@code ./weir task pause}. */
    @Command(
            name = "pause",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description = "Sends no further files of the tasks to pilots. Jobs that were sent before run to their end.")
    static final class Pause extends NamedAction {
        Pause() {
            super("task", "paused");
        }
    }

    /** {@code ./weir task resume}. */
    @Command(
            name = "resume",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description = "Goes on with tasks that are paused or set aside.")
    static final class Resume extends NamedAction {
        Resume() {
            super("task", "resumed");
        }
    }

    /** {@code ./weir task cancel}. */
    @Command(
            name = "cancel",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description =
                    "Ends the tasks: waiting files are never started, pilots stop the running jobs, and the output datasets close"
                            + " with what is finished. It cannot be undone.")
    static final class Cancel extends NamedAction {
        Cancel() {
            super("task", "canceled");
        }
    }

    /** {@code ./weir task close}. */
    @Command(
            name = "close",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description =
                    "Ends the tasks: waiting files are never started, the jobs that are out run to their end, and then the output"
                            + " datasets close. It cannot be undone.")
    static final class Close extends NamedAction {
        Close() {
            super("task", "closed");
        }
    }

    /** {@code ./weir task retry}. */
    @Command(
            name = "retry",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            description =
                    "Gives the failed files of the tasks new attempts, which is possible until their datasets close.")
    static final class Retry extends NamedAction {
        Retry() {
            super("task", "retry_failed");
        }
    }
}
