package dev.weir.pilot;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A time on the command line: {@code 500ms, 15s, 2m, 1h, 1d}, a bare number of seconds, or ISO 8601 ({@code PT15S}). */
public final class DurationOption implements ITypeConverter<Duration> {

    private static final Pattern FORM = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)?");

    @Override
    public Duration convert(String text) {
        String lower = text.strip().toLowerCase(Locale.ROOT);
        Matcher matcher = FORM.matcher(lower);
        if (!matcher.matches()) {
            try {
                return Duration.parse(text.strip());
            } catch (DateTimeParseException e) {
                throw new TypeConversionException(
                        "'" + text + "' is no time; write for example 500ms, 15s, 2m, 1h or 1d");
            }
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2) == null ? "s" : matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            case "d" -> Duration.ofDays(number);
            default -> Duration.ofSeconds(number);
        };
    }
}
