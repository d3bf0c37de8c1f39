package dev.weir.cli.demo;

/**
 * A row of the demo's table.
 *
 * @param jobShare its share of the pool's jobs, 0 to 1, while all tasks of the pool had waiting files; null if not compared
 * @param weightShare the expected share by weight; null if not compared
 * @param outputs the directory that holds the outputs
 */
record Row(Progress progress, Outcome outcome, Double jobShare, Double weightShare, String outputs) {

    long retries() {
        return progress.counts() == null
                ? 0
                : progress.counts().retries() + progress.counts().systemRetries();
    }

    /** Whether the task closed, every file has one outcome, and Weir's counts equal those of the disk. */
    boolean isGood() {
        return progress.isClosed()
                && outcome.isSound()
                && progress.counts() != null
                && progress.counts().finished() == outcome.finished()
                && progress.counts().failed() == outcome.failed();
    }
}
