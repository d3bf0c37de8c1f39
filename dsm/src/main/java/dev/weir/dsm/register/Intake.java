package dev.weir.dsm.register;

import dev.weir.dsm.catalogue.Catalogue;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import dev.weir.protocol.Registration;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** From message bodies to the catalogue. A body that cannot be taken never keeps the others from being taken. */
final class Intake {

    /** The catalogue, as {@link dev.weir.dsm.catalogue.Registrations#take} is. */
    @FunctionalInterface
    interface Taking {
        Map<Integer, InvalidMessage> take(List<Registration> batch) throws SQLException;
    }

    private final Taking registrations;

    Intake(Taking registrations) {
        this.registrations = registrations;
    }

    /**
     * Takes a batch of message bodies.
     *
     * @return why one cannot be taken, by its index
     * @throws SQLException when the database cannot now: nothing may be acknowledged, and all of it may be taken again
     */
    Map<Integer, InvalidMessage> take(List<byte[]> bodies) throws SQLException {
        Map<Integer, InvalidMessage> refused = new TreeMap<>();
        List<Registration> parsed = new ArrayList<>();
        List<Integer> indexes = new ArrayList<>();
        for (int i = 0; i < bodies.size(); i++) {
            try {
                parsed.add(Json.read(bodies.get(i), Registration.class));
                indexes.add(i);
            } catch (InvalidMessage e) {
                refused.put(i, e);
            }
        }
        if (!parsed.isEmpty()) {
            takeParsed(parsed, indexes, refused);
        }
        return refused;
    }

    /** Takes nothing, which asks the database all that a batch would. Throws as {@link #take} does. */
    void checkDatabase() throws SQLException {
        registrations.take(List.of());
    }

    private void takeParsed(List<Registration> parsed, List<Integer> indexes, Map<Integer, InvalidMessage> refused)
            throws SQLException {
        try {
            registrations.take(parsed).forEach((i, why) -> refused.put(indexes.get(i), why));
        } catch (SQLException e) {
            if (!Catalogue.blamesTheData(e)) {
                throw e;
            }
            if (parsed.size() == 1) {
                refused.put(
                        indexes.get(0), new InvalidMessage(null, "the catalogue cannot hold it: " + e.getMessage(), e));
                return;
            }
            // One of them is at fault: taking each by itself shows which.
            for (int i = 0; i < parsed.size(); i++) {
                takeParsed(List.of(parsed.get(i)), List.of(indexes.get(i)), refused);
            }
        }
    }
}
