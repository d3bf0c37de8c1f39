package dev.weir.simulator.scenario;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What is taken away from a seed's scenario to make it smaller. The same seed with the same cut is the same run.
 *
 * @param without faults that do not happen
 * @param tasks indexes of the tasks that are kept; null: all
 * @param maxFiles most files of a dataset
 * @param maxPilots most pilots of a pool
 */
public record Cut(Set<Fault> without, Set<Integer> tasks, int maxFiles, int maxPilots) {

    public static final Cut NONE = new Cut(Set.of(), null, Integer.MAX_VALUE, Integer.MAX_VALUE);

    public Cut {
        EnumSet<Fault> faults = EnumSet.noneOf(Fault.class);
        faults.addAll(without);
        without = Collections.unmodifiableSet(faults);
        tasks = tasks == null ? null : Collections.unmodifiableSet(new TreeSet<>(tasks));
    }

    public Cut without(Fault fault) {
        EnumSet<Fault> more = EnumSet.of(fault);
        more.addAll(without);
        return new Cut(more, tasks, maxFiles, maxPilots);
    }

    public Cut withTasks(Set<Integer> kept) {
        return new Cut(without, kept, maxFiles, maxPilots);
    }

    public Cut withMaxFiles(int files) {
        return new Cut(without, tasks, files, maxPilots);
    }

    public Cut withMaxPilots(int pilots) {
        return new Cut(without, tasks, maxFiles, pilots);
    }

    /** The options of {@code ./weir sim} that ask for this cut, with a leading space; empty for no cut. */
    public String options() {
        StringBuilder text = new StringBuilder();
        if (!without.isEmpty()) {
            text.append(" --without ")
                    .append(without.stream()
                            .map(fault -> fault.name().toLowerCase(Locale.ROOT))
                            .collect(Collectors.joining(",")));
        }
        if (tasks != null) {
            text.append(" --tasks ").append(tasks.stream().map(String::valueOf).collect(Collectors.joining(",")));
        }
        if (maxFiles != Integer.MAX_VALUE) {
            text.append(" --files ").append(maxFiles);
        }
        if (maxPilots != Integer.MAX_VALUE) {
            text.append(" --pilots ").append(maxPilots);
        }
        return text.toString();
    }
}
