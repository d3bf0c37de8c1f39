package dev.weir.sql;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.weir.protocol.Urls;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.ZoneOffset;

/** Sets the parameters of a statement one after another, null where there is nothing. */
final class Binder {

    private final PreparedStatement statement;
    private int index;

    Binder(PreparedStatement statement) {
        this.statement = statement;
    }

    /** PostgreSQL's text cannot hold NUL; a program's error message can. Readers of tables are not to see a storage's password. */
    Binder text(String value) throws SQLException {
        statement.setString(++index, value == null ? null : Urls.withoutSecrets(value.replace('\0', '\uFFFD')));
        return this;
    }

    /** As it is spelled on the wire. */
    Binder name(Enum<?> value) throws SQLException {
        statement.setString(++index, value == null ? null : WireNames.of(value));
        return this;
    }

    Binder number(Long value) throws SQLException {
        statement.setObject(++index, value, Types.BIGINT);
        return this;
    }

    Binder number(Integer value) throws SQLException {
        statement.setObject(++index, value, Types.INTEGER);
        return this;
    }

    Binder number(Double value) throws SQLException {
        statement.setObject(++index, value, Types.DOUBLE);
        return this;
    }

    Binder count(long value) throws SQLException {
        statement.setLong(++index, value);
        return this;
    }

    Binder count(int value) throws SQLException {
        statement.setInt(++index, value);
        return this;
    }

    Binder number(double value) throws SQLException {
        statement.setDouble(++index, value);
        return this;
    }

    Binder flag(boolean value) throws SQLException {
        statement.setBoolean(++index, value);
        return this;
    }

    Binder time(Instant value) throws SQLException {
        statement.setObject(
                ++index, value == null ? null : value.atOffset(ZoneOffset.UTC), Types.TIMESTAMP_WITH_TIMEZONE);
        return this;
    }

    /** What {@link JsonProperty} says, else the constant's own name. */
    private static final class WireNames extends ClassValue<String[]> {
        private static final WireNames ALL = new WireNames();

        static String of(Enum<?> value) {
            return ALL.get(value.getDeclaringClass())[value.ordinal()];
        }

        @Override
        protected String[] computeValue(Class<?> type) {
            Object[] constants = type.getEnumConstants();
            String[] names = new String[constants.length];
            for (int i = 0; i < names.length; i++) {
                String constant = ((Enum<?>) constants[i]).name();
                try {
                    JsonProperty spelled = type.getField(constant).getAnnotation(JsonProperty.class);
                    names[i] = spelled == null ? constant : spelled.value();
                } catch (NoSuchFieldException e) {
                    throw new AssertionError(e);
                }
            }
            return names;
        }
    }
}
