package dev.weir.simulator;

import java.util.List;

/** Deliberate bugs in which way a message goes to the queues, so that a crash puts it before what it followed. For {@link MutantTest}. */
final class RouteMutants {

    private static final String FILE = "protocol/queue/Routes.java";
    private static final String OF_LEASES = "QueueEntry.Done.class, QueueEntry.Extend.class,";

    private RouteMutants() {}

    static List<Mutant> all() {
        return List.of(
                goesWithReports("a push comes before the making of its queue", "Configure"),
                goesWithReports("a removal takes a push that followed it", "Remove"),
                goesWithReports("a purge takes a push that followed it", "QueueAction"));
    }

    private static Mutant goesWithReports(String name, String entry) {
        return new Mutant(name, FILE, OF_LEASES, "QueueEntry." + entry + ".class, " + OF_LEASES);
    }
}
