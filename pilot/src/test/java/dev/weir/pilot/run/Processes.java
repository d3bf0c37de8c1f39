package dev.weir.pilot.run;

import java.util.List;
import java.util.stream.Stream;

/** Finds the processes that a test's programs have started, by a word in their command line. */
public final class Processes {

    private Processes() {}

    /** Those that live; what is dead and not collected by its parent does not count. */
    public static List<ProcessHandle> with(String word) {
        try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
            return all.filter(process -> isWith(process, word))
                    .filter(ProcessTree::lives)
                    .toList();
        }
    }

    private static boolean isWith(ProcessHandle process, String word) {
        String[] arguments = process.info().arguments().orElse(new String[0]);
        return Stream.of(arguments).anyMatch(argument -> argument.contains(word));
    }
}
