package dev.weir.protocol;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;

/**
 * Times on the wire. Written as ISO 8601 in UTC. Read as that, with any offset, or as a number since 1970: in milliseconds
 * from 10^11 on, in (fractional) seconds below, because senders in other languages write both; in the years 1 to 9999.
 */
final class TimeModule extends SimpleModule {

    private static final double FIRST_MILLIS = 1e11;

    private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");

    TimeModule() {
        addSerializer(Instant.class, new Writer());
        addDeserializer(Instant.class, new Reader());
    }

    private static final class Writer extends StdScalarSerializer<Instant> {
        Writer() {
            super(Instant.class);
        }

        @Override
        public void serialize(Instant time, JsonGenerator json, SerializerProvider provider) throws IOException {
            json.writeString(time.toString());
        }
    }

    private static final class Reader extends StdScalarDeserializer<Instant> {
        Reader() {
            super(Instant.class);
        }

        @Override
        public Instant deserialize(JsonParser json, DeserializationContext context) throws IOException {
            JsonToken token = json.currentToken();
            try {
                if (token == JsonToken.VALUE_STRING) {
                    return within(Times.parse(json.getText()));
                }
                if (token == JsonToken.VALUE_NUMBER_INT || token == JsonToken.VALUE_NUMBER_FLOAT) {
                    double number = json.getDoubleValue();
                    double millis = Math.abs(number) >= FIRST_MILLIS ? number : number * 1000;
                    return within(Instant.ofEpochMilli(Math.round(millis)));
                }
            } catch (DateTimeException e) {
                return (Instant) context.handleWeirdStringValue(
                        Instant.class,
                        json.getText(),
                        "not a time: ISO 8601 with an offset, or a number since 1970, in the years 1 to 9999");
            }
            return (Instant) context.handleUnexpectedToken(Instant.class, json);
        }

        /** Databases and calculations in milliseconds take no more, and no clock shows it. */
        private static Instant within(Instant time) {
            if (time.isBefore(FIRST) || time.isAfter(LAST)) {
                throw new DateTimeException("out of range");
            }
            return time;
        }
    }
}
