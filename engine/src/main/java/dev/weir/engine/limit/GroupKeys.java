package dev.weir.engine.limit;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Limits;
import dev.weir.protocol.Texts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The groups of a file: the groups that its task or DSM gives, and the groups that follow from its URL. */
public final class GroupKeys {

    /** Of the 64-bit FNV-1a hash. */
    private static final long HASH_START = 0xcbf29ce484222325L;

    private static final long HASH_PRIME = 0x100000001b3L;
    private static final int LONGEST_HASH = 16;
    private static final Pattern OF_A_RULE = Pattern.compile("^(host|net|re[0-9]*):");

    private final LimitOptions options;
    /** By the number of a rule. */
    private final List<String> prefixes;

    public GroupKeys(LimitOptions options) {
        this.options = options;
        prefixes = prefixes(options.rules());
    }

    /** The groups of one file of a task; see {@link #of(String, List, List)}. */
    public List<String> of(FileInfo file, List<String> ofTask) {
        // Most files are in no group, so the URL is built only if a rule needs it.
        return options.rules().isEmpty() && file.groups().isEmpty() ? ofTask : of(file.url(), ofTask, file.groups());
    }

    /** The keys in a stable order, without repetitions. */
    public List<String> of(String url, List<String> ofTask, List<String> ofFile) {
        if (options.rules().isEmpty() && ofFile.isEmpty()) {
            return ofTask;
        }
        List<String> keys = new ArrayList<>(ofTask);
        ofFile.forEach(key -> add(keys, key));
        for (int i = 0; i < prefixes.size(); i++) {
            String value = value(options.rules().get(i), url);
            if (value != null) {
                add(keys, key(prefixes.get(i) + value));
            }
        }
        return List.copyOf(keys);
    }

    /** A long one is cut, and a hash keeps it apart from others that begin alike. */
    private static String key(String text) {
        if (text.length() <= Limits.MAX_GROUP_LENGTH) {
            return text;
        }
        String hash = Long.toHexString(text.chars().asLongStream().reduce(HASH_START, (h, c) -> (h ^ c) * HASH_PRIME));
        return Texts.first(text, Limits.MAX_GROUP_LENGTH - LONGEST_HASH - 1) + "~" + hash;
    }

    private static void add(List<String> keys, String key) {
        if (!keys.contains(key)) {
            keys.add(key);
        }
    }

    /** The prefix of the keys of each rule. Each regular expression has a prefix of its own: {@code re:}, {@code re2:}, {@code re3:}. */
    private static List<String> prefixes(List<GroupRule> rules) {
        List<String> prefixes = new ArrayList<>();
        int expressions = 0;
        for (GroupRule rule : rules) {
            prefixes.add(
                    switch (rule.kind()) {
                        case HOST -> "host:";
                        case NETWORK -> "net:";
                        case REGEX -> ++expressions == 1 ? "re:" : "re" + expressions + ":";
                    });
        }
        return prefixes;
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

    /**
     * What must be configured so that files come into this group by their URL: the head of a group rule, as {@code host}. Null when there
     * is such a rule, and for a name that no rule gives.
     */
    public String missingRule(String key) {
        for (String prefix : prefixes) {
            if (key.startsWith(prefix)) {
                return null;
            }
        }
        Matcher matcher = OF_A_RULE.matcher(key);
        if (!matcher.find()) {
            return null;
        }
        return switch (matcher.group(1)) {
            case "host" -> "host";
            case "net" -> "network";
            default -> "regex:PATTERN";
        };
    }

    /** The configured limits of single groups, by key. */
    Map<String, GroupLimit> configured() {
        return options.groups();
    }

    /** The configured limits and those that commands have set for groups, for people. */
    List<String> limitsInForce(Collection<Group> groups) {
        List<String> all = new ArrayList<>();
        for (GroupRule rule : options.rules()) {
            if (rule.limit() != null && !rule.limit().equals(GroupLimit.NONE)) {
                all.add("each group of rule " + rule.text() + ": "
                        + rule.limit().text());
            }
        }
        Map<String, String> ofGroups = new TreeMap<>();
        options.groups().forEach((key, limit) -> ofGroups.put(key, limit.text()));
        for (Group group : groups) {
            if (group.isCommanded() && !group.commanded().equals(limit(group.key()))) {
                ofGroups.put(group.key(), group.commanded().text() + " (by command)");
            }
        }
        ofGroups.forEach((key, limit) -> all.add(key + ": " + limit));
        return all;
    }

    /** The configured limit of a group: its own, else the limit of the first rule that makes such keys. */
    public GroupLimit limit(String key) {
        GroupLimit own = options.groups().get(key);
        if (own != null) {
            return own;
        }
        for (int i = 0; i < prefixes.size(); i++) {
            GroupLimit limit = options.rules().get(i).limit();
            if (limit != null && key.startsWith(prefixes.get(i))) {
                return limit;
            }
        }
        return GroupLimit.NONE;
    }
}
