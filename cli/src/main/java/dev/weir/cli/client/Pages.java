package dev.weir.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * A list that the gateway gives in pages.
 *
 * @param more whether the list goes on
 */
record Pages(ArrayNode data, boolean more) {

    private static final int LARGEST_PAGE = 1000;

    /** As one line of JSON. */
    String json() {
        return GatewayClient.JSON
                .createObjectNode()
                .put("more", more)
                .set("data", data)
                .toString();
    }

    /**
     * Reads pages until the list ends or has this many entries.
     *
     * @throws IOException when the limit is below 1, or the gateway does not give a page
     */
    static Pages read(GatewayClient gateway, String path, Map<String, ?> filters, int limit) throws IOException {
        if (limit < 1) {
            throw new IOException("--limit must be 1 or more, got " + limit);
        }
        ArrayNode data = GatewayClient.JSON.createArrayNode();
        Map<String, Object> query = new HashMap<>(filters);
        boolean more = true;
        while (more && data.size() < limit) {
            query.put("limit", Math.min(LARGEST_PAGE, limit - data.size()));
            JsonNode page = gateway.get(path, query);
            page.path("data").forEach(data::add);
            more = page.has("next");
            query.put("after", page.path("next").asText());
        }
        return new Pages(data, more);
    }
}
