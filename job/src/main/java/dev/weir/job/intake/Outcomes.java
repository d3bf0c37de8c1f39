package dev.weir.job.intake;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.job.wire.Inbound;
import dev.weir.job.wire.Inbound.Kind;
import dev.weir.job.wire.Outbound;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import dev.weir.protocol.Outcome;
import java.io.IOException;
import java.io.Serializable;
import java.time.Instant;
import java.util.Optional;
import org.apache.flink.util.OutputTag;

/**
 * Makes the messages that tell senders what came of their tasks and commands.
 *
 * @param exchange of the events
 */
public record Outcomes(String exchange) implements Serializable {

    /** The side output of every operator that can answer. */
    public static final OutputTag<Outbound> TAG = new OutputTag<>("outcomes", Outbound.TYPE);

    /** @param nowMillis distinguishes the answers to repetitions */
    public Outbound of(Outcome outcome, long nowMillis) {
        String id = outcome.routingKey() + ":" + outcome.id() + ":" + nowMillis;
        return Outbound.toExchange(exchange, outcome.routingKey(), id, outcome);
    }

    /** That a message is refused; empty unless it is a task or command whose id can be read in spite of its fault. */
    Optional<Outbound> refused(Inbound message, InvalidMessage fault) {
        if (message.kind() != Kind.TASK && message.kind() != Kind.COMMAND) {
            return Optional.empty();
        }
        boolean isTask = message.kind() == Kind.TASK;
        try {
            JsonNode id = Json.mapper().readTree(message.body()).path(isTask ? "uid" : "id");
            if (!id.isTextual()) {
                return Optional.empty();
            }
            Outcome refused = new Outcome(
                    isTask ? Outcome.About.TASK : Outcome.About.COMMAND,
                    id.textValue(),
                    Outcome.Kind.REFUSED,
                    Instant.ofEpochMilli(message.receivedAtMillis()),
                    fault.getMessage(),
                    fault.field());
            return Optional.of(of(refused, message.receivedAtMillis()));
        } catch (IOException | InvalidMessage e) {
            return Optional.empty();
        }
    }
}
