package dev.weir.protocol.queue;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.weir.protocol.Check;
import java.util.Map;

/**
 * An owner of items of a queue.
 *
 * @param weight its share against other owners, 1 to 100
 * @param maxItems most items of it that are not dead; null for the bound of the queue
 * @param items how many of its items are not dead
 * @param facts of which its items get priorities
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record OwnerView(
        String owner,
        int weight,
        Integer maxItems,
        long items,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Double> facts) {

    public OwnerView {
        Check.uid("owner", owner);
        Check.within("weight", weight, 0, Integer.MAX_VALUE);
        Check.notNegative("items", items);
        if (maxItems != null) {
            Check.within("max_items", maxItems, 0, Integer.MAX_VALUE);
        }
        facts = facts == null ? Map.of() : Map.copyOf(facts);
    }
}
