package dev.weir.cli.demo;

import dev.weir.cli.demo.Datasets.Dataset;
import dev.weir.protocol.DeviceType;
import dev.weir.protocol.Mode;
import dev.weir.protocol.Task;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The tasks of the demo: four kinds of CPU tasks with ranks 8, 4, 2 and 1, one GPU task, and one task that merges the outputs of
 * {@code count}.
 */
final class Scenario {

    static final String MERGED = "count";

    private static final int RETRY = 2;
    private static final List<String> CPU_PROGRAMS = List.of("checksum", "compress", "count", "picky");
    private static final double[] RANKS = {8, 4, 2, 1};

    private final String storageUrl;

    /** @param storage the root of the outputs' storage */
    Scenario(Path storage) {
        this.storageUrl = "file://" + storage.toAbsolutePath();
    }

    /** A task for each dataset; every fifth runs on the GPU pilot. */
    List<DemoTask> tasks(List<Dataset> datasets) throws IOException {
        List<DemoTask> tasks = new ArrayList<>();
        for (int i = 0; i < datasets.size(); i++) {
            tasks.add(task(i, datasets.get(i)));
        }
        return tasks;
    }

    private DemoTask task(int i, Dataset dataset) throws IOException {
        int kind = i % (CPU_PROGRAMS.size() + 1);
        int round = i / (CPU_PROGRAMS.size() + 1);
        boolean gpu = kind == CPU_PROGRAMS.size();
        String program = gpu ? "fingerprint" : CPU_PROGRAMS.get(kind);
        String args = "{file_in} {file_out}";
        if (program.equals("picky")) {
            Pickiness pickiness = Pickiness.of(dataset.directory());
            args += " {attempt} " + pickiness.modulus() + " " + pickiness.never() + " " + pickiness.later();
        }
        return demoTask(
                round == 0 ? program : program + "-" + (round + 1),
                program,
                args,
                gpu ? 1 : RANKS[kind],
                gpu ? DeviceType.GPU : DeviceType.CPU,
                Mode.MAP,
                dataset.uid(),
                dataset.files());
    }

    /** The task that merges the outputs of another. */
    DemoTask merge(DemoTask of) {
        return demoTask(
                "merge",
                "merge",
                "{file_in_list} {file_out}",
                RANKS[0],
                DeviceType.CPU,
                Mode.MERGE,
                of.task().datOutUid(),
                1);
    }

    private DemoTask demoTask(
            String name, String program, String args, double rank, DeviceType device, Mode mode, String in, int jobs) {
        Task task = new Task(
                "demo." + name,
                program,
                args,
                rank,
                device,
                mode,
                RETRY,
                in,
                "out." + name,
                storageUrl,
                name,
                null,
                "demo",
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
        return new DemoTask(name, task, jobs);
    }
}
