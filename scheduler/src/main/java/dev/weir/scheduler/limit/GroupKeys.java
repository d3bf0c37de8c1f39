package dev.weir.scheduler.limit;

import dev.weir.protocol.FileInfo;
import dev.weir.scheduler.options.GroupLimit;
import dev.weir.scheduler.options.GroupRule;
import dev.weir.scheduler.options.LimitOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;

/** Which groups a file belongs to: those given, and those that its URL puts it in. */
public final class GroupKeys {

    private final LimitOptions options;

    public GroupKeys(LimitOptions options) {
        this.options = options;
    }

    /** Of a file of a task with groups of its own; see {@link #of(String, List, List)}. */
    public List<String> of(FileInfo file, List<String> ofTask) {
        // Most files are in no group: then their URL need not be made.
        return options.rules().isEmpty() && file.groups().isEmpty() ? ofTask : of(file.url(), ofTask, file.groups());
    }

    /** In a stable order, without repetitions. */
    public List<String> of(String url, List<String> ofTask, List<String> ofFile) {
        if (options.rules().isEmpty() && ofFile.isEmpty()) {
            return ofTask;
        }
        List<String> keys = new ArrayList<>(ofTask);
        ofFile.forEach(key -> add(keys, key));
        for (GroupRule rule : options.rules()) {
            String value = value(rule, url);
            if (value != null) {
                add(keys, prefix(rule) + value);
            }
        }
        return List.copyOf(keys);
    }

    private static void add(List<String> keys, String key) {
        if (!keys.contains(key)) {
            keys.add(key);
        }
    }

    private static String prefix(GroupRule rule) {
        return switch (rule.kind()) {
            case HOST -> "host:";
            case NETWORK -> "net:";
            case REGEX -> "re:";
        };
    }

    private static String value(GroupRule rule, String url) {
        switch (rule.kind()) {
            case HOST -> {
                return Hosts.host(url);
            }
            case NETWORK -> {
                String host = Hosts.host(url);
                return host == null ? null : Hosts.network(host);
            }
            default -> {
                Matcher matcher = rule.pattern().matcher(url);
                if (!matcher.find()) {
                    return null;
                }
                return matcher.groupCount() > 0 && matcher.group(1) != null ? matcher.group(1) : matcher.group();
            }
        }
    }

    /** The configured limit of a group: its own, else the one of the first rule that makes such keys. */
    public GroupLimit limit(String key) {
        GroupLimit own = options.groups().get(key);
        if (own != null) {
            return own;
        }
        for (GroupRule rule : options.rules()) {
            if (rule.limit() != null && key.startsWith(prefix(rule))) {
                return rule.limit();
            }
        }
        return GroupLimit.NONE;
    }
}
