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
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Optional;

/** The dates that five fields of cron name. Not safe for several threads. */
public final class Cron {

    private static final int MAX_LENGTH = 256;
    private static final int MAX_ZONE_LENGTH = 64;
    private static final String UTC = "UTC";

    private final ExecutionTime times;
    private final ZoneId zone;

    private Cron(ExecutionTime times, ZoneId zone) {
        this.times = times;
        this.zone = zone;
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
                return new Cron(times, ZoneId.of(name));
            }
        } catch (DateTimeException e) {
            // Said below.
        }
        throw new InvalidMessage("again.zone", "zone must be UTC or a time zone such as Europe/Paris, got " + zone);
    }

    /** The first date after a time; null when there is none. */
    public Instant next(Instant after) {
        Optional<ZonedDateTime> next = times.nextExecution(after.atZone(zone));
        return next.map(ZonedDateTime::toInstant).orElse(null);
    }
}
