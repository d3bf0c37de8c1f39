package dev.weir.cli.demo;

/**
 * A line of the demo's table.
 *
 * @param jobShare of its pool's jobs, 0 to 1, while all tasks of the pool had work waiting; null when it was not compared
 * @param weightShare what that share ought to be; null when it was not compared
 * @param outputs the directory that holds the outputs
 */
record Row(Progress progress, Outcome outcome, Double jobShare, Double weightShare, String outputs) {

    long retries() {
        return progress.counts() == null
                ? 0
                : progress.counts().retries() + progress.counts().systemRetries();
    }

    /** Closed, nothing lost or doubled, and Weir's own numbers are those of the disk. */
    boolean isGood() {
        return progress.isClosed()
                && outcome.isSound()
                && progress.counts() != null
                && progress.counts().finished() == outcome.finished()
                && progress.counts().failed() == outcome.failed();
    }
}
