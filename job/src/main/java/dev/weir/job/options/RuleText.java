package dev.weir.job.options;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.weir.engine.limit.GroupLimit;
import dev.weir.engine.limit.GroupRule;
import dev.weir.protocol.ErrorType;
import dev.weir.scheduler.options.ErrorClass;
import dev.weir.scheduler.options.ErrorRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.apache.flink.util.TimeUtils;

/** Parses the rules in options: a head, then {@code name=value} parts, separated by commas. */
final class RuleText {

    private static final String REGEX = "regex:";

    private RuleText() {}

    /** Null or no rules: the core's defaults. */
    static List<ErrorRule> errorRules(List<String> texts) {
        if (texts == null || texts.isEmpty()) {
            return ErrorRule.defaults();
        }
        List<ErrorRule> rules = new ArrayList<>();
        for (String text : texts) {
            Parts parts = Parts.of(SchedulingOptions.ERROR_RULES.key(), text);
            rules.add(new ErrorRule(
                    parts.take("exit", Integer::valueOf),
                    parts.take("type", RuleText::errorType),
                    parts.take("message", Pattern::compile),
                    parts.head(head -> ErrorClass.valueOf(head.toUpperCase(Locale.ROOT)))));
            parts.end();
        }
        return rules;
    }

    private static ErrorType errorType(String text) {
        ErrorType type = ErrorType.valueOf(text.toUpperCase(Locale.ROOT));
        if (type == ErrorType.LOST) {
            throw new IllegalArgumentException("an attempt whose pilot was silent is a system error by any rule");
        }
        return type;
    }

    static List<GroupRule> groupRules(List<String> texts) {
        List<GroupRule> rules = new ArrayList<>();
        for (String text : texts) {
            Parts parts = Parts.of(SchedulingOptions.GROUP_RULES.key(), text);
            GroupLimit limit = limit(parts);
            rules.add(parts.head(head -> head.startsWith(REGEX)
                    ? new GroupRule(GroupRule.Kind.REGEX, Pattern.compile(head.substring(REGEX.length())), limit)
                    : new GroupRule(GroupRule.Kind.valueOf(head.toUpperCase(Locale.ROOT)), null, limit)));
            parts.end();
        }
        return rules;
    }

    static Map<String, GroupLimit> groupLimits(List<String> texts) {
        Map<String, GroupLimit> limits = new LinkedHashMap<>();
        for (String text : texts) {
            Parts parts = Parts.of(SchedulingOptions.GROUP_LIMITS.key(), text);
            limits.put(parts.head(Function.identity()), limit(parts));
            parts.end();
        }
        return limits;
    }

    private static GroupLimit limit(Parts parts) {
        Integer inFlight = parts.take("max-in-flight", Integer::valueOf);
        Integer starts = parts.take("max-starts", Integer::valueOf);
        Duration window = parts.take("window", TimeUtils::parseDuration);
        return new GroupLimit(
                inFlight == null ? GroupLimit.UNLIMITED : inFlight,
                starts == null ? GroupLimit.UNLIMITED : starts,
                window);
    }

    /** One rule, split into its parts. A part that is not taken is an error. */
    private record Parts(String option, String text, String first, Map<String, String> named) {

        static Parts of(String option, String text) {
            String[] pieces = text.split(",", -1);
            Map<String, String> named = new LinkedHashMap<>();
            for (int i = 1; i < pieces.length; i++) {
                int equals = pieces[i].indexOf('=');
                if (equals < 0) {
                    throw wrong(option, text, "'" + pieces[i] + "' is not name=value", null);
                }
                named.put(
                        pieces[i].substring(0, equals).strip(),
                        pieces[i].substring(equals + 1).strip());
            }
            return new Parts(option, text, pieces[0].strip(), named);
        }

        <T> T head(Function<String, T> read) {
            return read("its head", first, read);
        }

        <T> T take(String name, Function<String, T> read) {
            String value = named.remove(name);
            return value == null ? null : read(name, value, read);
        }

        void end() {
            if (!named.isEmpty()) {
                throw wrong(option, text, "unknown parts " + named.keySet(), null);
            }
        }

        private <T> T read(String name, String value, Function<String, T> read) {
            try {
                return read.apply(value);
            } catch (PatternSyntaxException e) {
                throw wrong(
                        option,
                        text,
                        name + " is not a regular expression of RE2, which has no look-around and no back references: "
                                + e.getDescription() + " '" + e.getPattern() + "'",
                        e);
            } catch (IllegalArgumentException e) {
                throw wrong(option, text, name + " cannot be '" + value + "': " + e.getMessage(), e);
            }
        }

        private static IllegalArgumentException wrong(String option, String text, String why, RuntimeException cause) {
            return new IllegalArgumentException(option + ": rule '" + text + "': " + why, cause);
        }
    }
}
