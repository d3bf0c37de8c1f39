package dev.weir.simulator.scenario;

import com.google.re2j.Matcher;
import dev.weir.engine.limit.GroupRule;
import dev.weir.engine.limit.LimitOptions;
import dev.weir.protocol.DeviceType;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Mode;
import dev.weir.protocol.Names;
import dev.weir.protocol.Order;
import dev.weir.protocol.Task;
import dev.weir.scheduler.options.RankOptions;
import dev.weir.simulator.scenario.DatasetPlan.Quirk;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Draws one task and its dataset. */
final class TaskDraw {

    static final List<String> GROUPS = List.of("service:a", "service:b", "tape");

    private final long seed;
    private final LimitOptions limits;
    private final Set<Fault> faults;
    private final boolean someBringFiles;

    /** @param someBringFiles whether there are tasks that name their files themselves */
    TaskDraw(long seed, LimitOptions limits, Set<Fault> faults, boolean someBringFiles) {
        this.seed = seed;
        this.limits = limits;
        this.faults = faults;
        this.someBringFiles = someBringFiles;
    }

    TaskPlan draw(int index, int meanFiles, int maxFiles, double speedUp, long until) {
        Rand rand = Rand.of(seed, "task", index);
        boolean limited = !limits.groups().isEmpty() || !limits.rules().isEmpty();
        Order order = rand.oneOf(Order.SEQUENTIAL, Order.SEQUENTIAL, Order.SEQUENTIAL, Order.RANDOM, Order.PRIORITY);
        List<String> taskGroups = limited && rand.chance(0.2) ? List.of(rand.pick(GROUPS)) : List.of();
        List<FileInfo> files = files(rand, index, order, limited, meanFiles, maxFiles);
        Rand crossing = Rand.of(seed, "crossing", index);
        files = limited && crossing.chance(0.15) ? inSeveralGroups(crossing, files) : files;
        boolean targets = !files.isEmpty() && rand.chance(0.2) && someBringFiles;
        Quirk quirk = targets ? Quirk.NONE : quirk(rand, files.size());
        long jobMillis = (long) (rand.magnitude(200, 60_000) * speedUp);
        double failures = rand.oneOf(0.0, 0.02, 0.1, 0.3, 0.95);
        Task task = new Task(
                "t" + index,
                "reco",
                "--in {file_in} --out {file_out}",
                rand.chance(0.2) ? null : (double) (int) rand.magnitude(1, 110),
                rand.chance(0.7) ? DeviceType.CPU : DeviceType.GPU,
                rand.chance(0.12) ? Mode.MERGE : Mode.MAP,
                rand.between(0, 3),
                "in" + index,
                "out" + index,
                "https://out.example/spd",
                "sets/out" + index,
                rand.chance(0.5) ? "store-1" : null,
                null,
                order,
                taskGroups,
                targets ? files : List.of(),
                rand.chance(0.1) ? RankOptions.FIXED : null,
                rand.chance(0.2) ? (Integer) rand.between(1, 40) : null,
                order == Order.PRIORITY && rand.chance(0.4) ? (Integer) rand.between(5, 120) : null,
                rand.chance(0.5),
                rand.chance(0.7) ? (Integer) rand.between(1, 12) : null,
                null,
                pool(index),
                keepOpenS(index));
        // The same list for the same groups: there are few.
        Map<List<String>, List<String>> known = new HashMap<>();
        List<List<String>> groups = files.stream()
                .map(file -> known.computeIfAbsent(groups(task, file), keys -> keys))
                .toList();
        return new TaskPlan(
                index,
                rand.chance(0.4) ? rand.between(0, 2_000) : rand.between(0L, until / 2),
                task,
                new DatasetPlan("in" + index, files, groups, quirk),
                jobMillis,
                faults.contains(Fault.JOB_FAILURE) ? failures : 0,
                rand.share() * 0.6);
    }

    private Integer keepOpenS(int index) {
        Rand rand = Rand.of(seed, "keep open", index);
        return rand.chance(0.2) ? (Integer) rand.between(1, 60) : null;
    }

    /** Null for most tasks: then their device type decides. */
    private String pool(int index) {
        boolean named = Rand.of(seed, "pools").chance(0.07);
        return named ? Rand.of(seed, "pool", index).oneOf(null, Names.CPU_POOL, Names.GPU_POOL) : null;
    }

    private static List<FileInfo> files(Rand rand, int index, Order order, boolean limited, int mean, int max) {
        int wanted = rand.chance(0.05) ? 0 : (int) rand.magnitude(1, mean * 3.5);
        int hosts = rand.between(1, 4);
        List<FileInfo> files = new ArrayList<>();
        for (int i = 0; i < Math.min(wanted, max); i++) {
            int host = rand.between(1, hosts);
            String store = rand.chance(0.3)
                    ? "https://store" + host + ".example/data"
                    : "https://10.0." + host + "." + (i % 2 + 1) + "/data";
            List<String> groups = limited && rand.chance(0.15) ? List.of(rand.pick(GROUPS)) : List.of();
            files.add(new FileInfo(
                    "f" + i + ".raw",
                    store,
                    "run" + index,
                    (long) rand.between(1, 1_000_000),
                    null,
                    null,
                    order == Order.PRIORITY && rand.chance(0.9) ? (Integer) rand.between(1, 6) : null,
                    groups));
        }
        return files;
    }

    /** Files that need places of one to three groups each, so that grants and reservations of one task cross. */
    private static List<FileInfo> inSeveralGroups(Rand rand, List<FileInfo> files) {
        List<FileInfo> crossing = new ArrayList<>();
        for (FileInfo file : files) {
            Set<String> groups = new LinkedHashSet<>();
            for (int i = rand.between(1, 3); i > 0; i--) {
                groups.add(rand.pick(GROUPS));
            }
            crossing.add(new FileInfo(
                    file.name(),
                    file.storageUrl(),
                    file.path(),
                    file.size(),
                    file.checksum(),
                    file.type(),
                    file.priority(),
                    List.copyOf(groups)));
        }
        return crossing;
    }

    private Quirk quirk(Rand rand, int files) {
        Quirk harmless = rand.oneOf(Quirk.NONE, Quirk.NONE, Quirk.NONE, Quirk.NONE, Quirk.WHOLE, Quirk.SHORT_PAGES);
        boolean bad = rand.chance(0.12);
        Quirk wrong = rand.oneOf(Quirk.MISSING, Quirk.GARBAGE, Quirk.CHANGED_TOTAL, Quirk.EMPTY_PAGE);
        return bad && faults.contains(Fault.DSM_QUIRK) && files > 0 ? wrong : harmless;
    }

    /** The limit groups that hold a file, from the design: by the rules about its URL, its own list, and its task's. */
    private List<String> groups(Task task, FileInfo file) {
        Set<String> groups = new LinkedHashSet<>(task.groups());
        groups.addAll(file.groups());
        String host = file.storageUrl()
                .substring("https://".length(), file.storageUrl().lastIndexOf('/'));
        boolean address = Character.isDigit(host.charAt(0));
        int expressions = 0;
        for (GroupRule rule : limits.rules()) {
            if (rule.kind() == GroupRule.Kind.REGEX) {
                // Each expression has groups of its own: re:, re2:, and so on.
                String kind = ++expressions == 1 ? "re:" : "re" + expressions + ":";
                Matcher match = rule.pattern().matcher(file.url());
                if (match.find()) {
                    String part = match.groupCount() == 0 ? null : match.group(1);
                    groups.add(kind + (part == null ? match.group() : part));
                }
            } else if (rule.kind() == GroupRule.Kind.HOST) {
                groups.add("host:" + host);
            } else if (rule.kind() == GroupRule.Kind.NETWORK && address) {
                groups.add("net:" + host.substring(0, host.lastIndexOf('.')) + ".0/24");
            }
        }
        return List.copyOf(groups);
    }
}
