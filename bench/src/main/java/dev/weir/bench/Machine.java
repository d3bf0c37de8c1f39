package dev.weir.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The machine on which the figures were measured. */
final class Machine {

    private Machine() {}

    /** The facts, for the JSON result. Facts that the system does not provide are left out. */
    static Map<String, Object> facts() {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("at", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        facts.put("cores", Runtime.getRuntime().availableProcessors());
        line("/proc/cpuinfo", "model name").ifPresent(cpu -> facts.put("cpu", cpu));
        line("/proc/meminfo", "MemTotal").ifPresent(memory -> facts.put("memory", mebibytes(memory)));
        facts.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put("java", System.getProperty("java.vm.name") + " " + Runtime.version());
        facts.put("max_heap_mib", Runtime.getRuntime().maxMemory() >> 20);
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        if (load >= 0) {
            facts.put("load_average_1min", Math.round(load * 100) / 100.0);
        }
        return facts;
    }

    /** The same in one line, below the table. */
    static String describe() {
        Map<String, Object> facts = facts();
        return facts.get("cores") + " × " + facts.getOrDefault("cpu", "unknown processor") + ", Java "
                + Runtime.version() + ", load " + facts.getOrDefault("load_average_1min", "unknown");
    }

    /** "24621124 kB" as "24044 MiB"; any other text unchanged. */
    private static String mebibytes(String memory) {
        return memory.matches("[0-9]{1,15} kB")
                ? Long.parseLong(memory.substring(0, memory.indexOf(' '))) / 1024 + " MiB"
                : memory;
    }

    private static Optional<String> line(String file, String key) {
        try (var lines = Files.lines(Path.of(file))) {
            return lines.filter(one -> one.startsWith(key))
                    .map(one -> one.substring(one.indexOf(':') + 1).strip())
                    .findFirst();
        } catch (IOException notLinux) {
            return Optional.empty();
        }
    }
}
