package dev.weir.bench.fairness;

import dev.weir.protocol.Limits;
import dev.weir.scheduler.rank.Rankers;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A queue of a real system.
 *
 * @param priority larger is more important; any positive number
 * @param jobs number of waiting jobs
 */
record Queue(double priority, int jobs) {

    /** The weight of a task of this rank. */
    int weight() {
        return Rankers.weight(Math.max(Limits.MIN_RANK, Math.min(Limits.MAX_RANK, priority)));
    }

    /**
     * Queues from comma-separated values with a header that names the columns {@code Priority} and {@code n_jobs}. Throws
     * {@link IOException} when it has none.
     */
    static List<Queue> read(Path csv) throws IOException {
        List<String> lines = Files.readAllLines(csv);
        List<String> header = lines.isEmpty() ? List.of() : cells(lines.get(0));
        int priority = header.indexOf("Priority");
        int jobs = header.indexOf("n_jobs");
        if (priority < 0 || jobs < 0) {
            throw new IOException(csv + " has no columns Priority and n_jobs, but " + header);
        }
        List<Queue> queues = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            List<String> cells = cells(line);
            queues.add(new Queue(Double.parseDouble(cells.get(priority)), Integer.parseInt(cells.get(jobs))));
        }
        return queues;
    }

    private static List<String> cells(String line) {
        return Arrays.stream(line.split(","))
                .map(cell -> cell.replace("\"", ""))
                .toList();
    }

    /**
     * The queues of the LHCb experiment, from a summary in which all queues of one priority have the same size: the number of
     * queues and the sum of their jobs are real, the single sizes are not.
     */
    static List<Queue> ofLhcb() throws IOException {
        List<Queue> queues = new ArrayList<>();
        try (InputStream in = Queue.class.getResourceAsStream("lhcb-queues-by-priority.csv");
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            lines.lines().filter(line -> !line.startsWith("#")).skip(1).forEach(line -> {
                List<String> cells = cells(line);
                int count = Integer.parseInt(cells.get(2));
                int jobs = Integer.parseInt(cells.get(3));
                for (int i = 0; i < count; i++) {
                    queues.add(new Queue(Double.parseDouble(cells.get(1)), jobs / count + (i < jobs % count ? 1 : 0)));
                }
            });
        }
        return queues;
    }
}
