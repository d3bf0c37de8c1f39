package dev.weir.scheduler.options;

import dev.weir.engine.Range;
import java.time.Duration;

/**
 * How datasets are read.
 *
 * @param chunkFiles base size of a chunk, in files; 250. It grows linearly with weight to twice this at weight 100, and is at least
 *     4 × weight. A task that reads in order asks for pages of this size, but of no more than 10,000
 * @param pageFiles size of a page for tasks that read everything, in files; 2000. Not above 10,000
 * @param pageTimeout pause before an unanswered page is requested again; it doubles each time up to pageTimeoutMax; 1 min
 * @param pageTimeoutMax longest such pause; 10 min
 */
public record ReadingOptions(int chunkFiles, int pageFiles, Duration pageTimeout, Duration pageTimeoutMax) {

    /** Several pages are in memory at once. */
    public static final int MOST_PAGE_FILES = 10_000;

    public ReadingOptions {
        Range.check("chunk-files", chunkFiles, 1, 100_000);
        Range.check("page-files", pageFiles, 1, MOST_PAGE_FILES);
        Range.check("page-timeout", pageTimeout, Duration.ofMillis(1), Duration.ofDays(1));
        Range.check("page-timeout-max", pageTimeoutMax, pageTimeout, Duration.ofDays(1));
    }

    public static ReadingOptions defaults() {
        return new ReadingOptions(250, 2000, Duration.ofMinutes(1), Duration.ofMinutes(10));
    }

    public ReadingOptions withChunkFiles(int value) {
        return new ReadingOptions(value, pageFiles, pageTimeout, pageTimeoutMax);
    }

    public ReadingOptions withPageFiles(int value) {
        return new ReadingOptions(chunkFiles, value, pageTimeout, pageTimeoutMax);
    }

    public ReadingOptions withPageTimeout(Duration least, Duration most) {
        return new ReadingOptions(chunkFiles, pageFiles, least, most);
    }
}
