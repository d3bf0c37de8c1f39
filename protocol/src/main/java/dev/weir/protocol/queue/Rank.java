package dev.weir.protocol.queue;

import dev.weir.protocol.Check;
import dev.weir.protocol.InvalidMessage;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * How the priority of an item follows from its facts.
 *
 * @param ranker which one; null means {@link #WEIGHTED}: the given priority less the sum of facts times weights, from 2 to
 *     {@link QueueLimits#WORST_PRIORITY}. Priority 1 stays as it is. Others come from jars
 * @param weights by fact, at most {@link QueueLimits#MAX_FACTS}; a fact without a weight counts nothing
 */
public record Rank(String ranker, Map<String, Double> weights) {

    public static final String WEIGHTED = "weighted";

    public Rank {
        ranker = ranker == null ? WEIGHTED : Check.uid("ranker", ranker);
        weights = facts("weights", weights);
    }

    /** A copy of named numbers. */
    static Map<String, Double> facts(String field, Map<String, Double> facts) {
        Map<String, Double> changes = factChanges(field, facts);
        changes.forEach((name, value) -> {
            if (value == null) {
                throw new InvalidMessage(field, field + "." + name + " must be a number");
            }
        });
        return Map.copyOf(changes);
    }

    /** The same where null takes a fact away. */
    static Map<String, Double> factChanges(String field, Map<String, Double> facts) {
        if (facts == null) {
            return Map.of();
        }
        if (facts.size() > QueueLimits.MAX_FACTS) {
            throw new InvalidMessage(
                    field, field + " may name " + QueueLimits.MAX_FACTS + " facts, this one names " + facts.size());
        }
        facts.forEach((name, value) -> {
            Check.uid(field, name);
            if (value != null && !Double.isFinite(value)) {
                throw new InvalidMessage(field, field + "." + name + " must be a number");
            }
        });
        return Collections.unmodifiableMap(new TreeMap<>(facts));
    }
}
