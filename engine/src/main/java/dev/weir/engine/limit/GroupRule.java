package dev.weir.engine.limit;

import com.google.re2j.Pattern;
import java.util.Locale;

/**
 * Puts files into limit groups by their URL. A group's key is {@code <kind>:<value>}, e.g. {@code host:store7} or
 * {@code net:10.1.2.0/24}.
 *
 * @param kind the part of the URL that gives the value
 * @param pattern {@link Kind#REGEX}: searched in the URL; the first capturing group, or else the whole match, is the value. Null for other kinds
 * @param limit of each group of this rule without a limit of its own
 */
public record GroupRule(Kind kind, Pattern pattern, GroupLimit limit) {

    /** The origin of the key. */
    public enum Kind {
        /** The URL's host. Files without one are in no group of this rule. */
        HOST,
        /** The /24 network of a host that is an IPv4 address, or the /48 network of an IPv6 address. */
        NETWORK,
        /** A regular expression. */
        REGEX
    }

    /** As it is configured, without its limit: {@code host}, {@code network}, {@code regex:PATTERN}. */
    public String text() {
        return kind.name().toLowerCase(Locale.ROOT) + (pattern == null ? "" : ":" + pattern.pattern());
    }

    public GroupRule {
        if ((kind == Kind.REGEX) != (pattern != null)) {
            throw new IllegalArgumentException("a pattern belongs to regex group rules, and to them only");
        }
    }
}
