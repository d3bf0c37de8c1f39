package dev.weir.protocol.queue;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinition;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import dev.weir.protocol.Check;
import dev.weir.protocol.InvalidMessage;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.regex.Pattern;

/**
 * The dates that five fields of cron name. When the clock of the zone changes, each date still has one time: a date that the clock skips is
 * when it does so, and of one that it shows twice the first counts. Only with {@code *} for the hours there is a date in each hour that
 * passes. Not safe for several threads.
 */
public final class Cron {

    private static final int MAX_LENGTH = 256;
    private static final int MAX_ZONE_LENGTH = 64;
    private static final String UTC = "UTC";
    private static final Pattern EACH_HOUR = Pattern.compile("\\s*\\S+\\s+\\*\\s.*", Pattern.DOTALL);

    private final ExecutionTime times;
    private final boolean isOfEachHour;
    private final ZoneRules zone;

    private Cron(ExecutionTime times, boolean isOfEachHour, ZoneId zone) {
        this.times = times;
        this.isOfEachHour = isOfEachHour;
        this.zone = zone.getRules();
    }

    /**
     * @param fields minute, hour, day of the month, month, day of the week
     * @param zone of the dates; null means UTC
     * @throws InvalidMessage if it is none
     */
    public static Cron of(String fields, String zone) {
        Check.length("again.cron", fields, MAX_LENGTH);
        ExecutionTime times;
        try {
            CronDefinition definition = CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX);
            times = ExecutionTime.forCron(new CronParser(definition).parse(fields));
        } catch (IllegalArgumentException e) {
            throw new InvalidMessage("again.cron", "cron must have five fields, as in 0 3 * * 1-5: " + e.getMessage());
        }
        String name = zone == null ? UTC : zone;
        Check.length("again.zone", name, MAX_ZONE_LENGTH);
        try {
            // Short names stand for several zones.
            if (name.equals(UTC) || name.indexOf('/') > 0) {
                return new Cron(times, EACH_HOUR.matcher(fields).matches(), ZoneId.of(name));
            }
        } catch (DateTimeException e) {
            // Said below.
        }
        throw new InvalidMessage("again.zone", "zone must be UTC or a time zone such as Europe/Paris, got " + zone);
    }

    /** The first date after a time; null when there is none. */
    public Instant next(Instant after) {
        return isOfEachHour ? nextShown(after) : nextOnce(after);
    }

    /** The next time at which the clock shows a date. */
    private Instant nextShown(Instant after) {
        ZoneOffset offset = zone.getOffset(after);
        ZoneOffsetTransition change = zone.nextTransition(after);
        LocalDateTime date = nextLocal(LocalDateTime.ofInstant(after, offset));
        while (date != null && change != null && !date.toInstant(offset).isBefore(change.getInstant())) {
            offset = change.getOffsetAfter();
            date = nextLocal(change.getDateTimeAfter().minusSeconds(1));
            change = zone.nextTransition(change.getInstant());
        }
        return date == null ? null : date.toInstant(offset);
    }

    /** The next date whose one time is later. */
    private Instant nextOnce(Instant after) {
        LocalDateTime date = LocalDateTime.ofInstant(after, zone.getOffset(after));
        Instant next;
        do {
            date = nextLocal(date);
            next = date == null ? null : timeOf(date);
        } while (next != null && !next.isAfter(after));
        return next;
    }

    private Instant timeOf(LocalDateTime date) {
        ZoneOffsetTransition change = zone.getTransition(date);
        if (change == null) {
            return date.toInstant(zone.getOffset(date));
        }
        return change.isGap() ? change.getInstant() : date.toInstant(change.getOffsetBefore());
    }

    /** The library is asked in a zone whose clock is never changed: dates near a change of the clock it gives twice, or not at all. */
    private LocalDateTime nextLocal(LocalDateTime after) {
        ZonedDateTime from = after.truncatedTo(ChronoUnit.SECONDS).atZone(ZoneOffset.UTC);
        return times.nextExecution(from).map(ZonedDateTime::toLocalDateTime).orElse(null);
    }
}
