package dev.weir.placement.files;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.weir.placement.input.ChunksBuilder;
import dev.weir.placement.input.IdEncoding;
import dev.weir.placement.input.Mode;
import dev.weir.placement.input.Order;
import dev.weir.placement.input.PlacementConfig;
import dev.weir.placement.input.Worker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * The configuration file: how to place, and what workers and chunks have that do not say it themselves. YAML, or JSON,
 * which YAML contains. An unknown key is an error, since it is most likely a misspelt one.
 *
 * @param placement {@code order, mode, rings, saturation, min_replication, id_encoding}
 * @param workerCapacity {@code worker_capacity} in bytes, of workers without one
 * @param weights {@code weights}, by dataset
 */
public record FileConfig(PlacementConfig placement, OptionalLong workerCapacity, Map<String, Integer> weights) {

    /** Everything by default: workers must state their capacities, every weight is 1. */
    public static final FileConfig DEFAULT = new FileConfig(PlacementConfig.DEFAULT, OptionalLong.empty(), Map.of());

    private static final ObjectMapper YAML = YAMLMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private static final int DEFAULT_WEIGHT = 1;
    private static final List<String> KEYS = List.of(
            "order", "mode", "rings", "saturation", "min_replication", "worker_capacity", "id_encoding", "weights");

    public FileConfig {
        weights = Collections.unmodifiableMap(new LinkedHashMap<>(weights));
    }

    /** The weight of a chunk that does not state one. */
    public int weight(String dataset) {
        return weights.getOrDefault(dataset, DEFAULT_WEIGHT);
    }

    /** The same in another mode, when there is one. */
    public FileConfig with(Optional<Mode> mode) {
        return mode.map(other -> new FileConfig(placement.with(other), workerCapacity, weights))
                .orElse(this);
    }

    /** Reads a file. */
    public static FileConfig read(Path file) throws InputException {
        try {
            JsonNode root = YAML.readTree(Files.readAllBytes(file));
            return root == null || root.isMissingNode() || root.isNull() ? DEFAULT : of(root);
        } catch (JsonProcessingException malformed) {
            int line = malformed.getLocation() == null
                    ? 1
                    : malformed.getLocation().getLineNr();
            throw new InputException(file + ":" + line + ": not YAML: " + InputException.reason(malformed));
        } catch (IllegalArgumentException refused) {
            throw new InputException(file + ": " + refused.getMessage());
        } catch (IOException unreadable) {
            throw InputException.unreadable(file, unreadable);
        }
    }

    private static FileConfig of(JsonNode root) {
        if (!root.isObject()) {
            throw new IllegalArgumentException("a mapping of keys to values is expected");
        }
        root.fieldNames().forEachRemaining(key -> {
            if (!KEYS.contains(key)) {
                throw new IllegalArgumentException("unknown key '" + key + "'; there are: " + String.join(", ", KEYS));
            }
        });
        PlacementConfig defaults = PlacementConfig.DEFAULT;
        PlacementConfig placement = new PlacementConfig(
                choice(root, "order", Order.class, defaults.order()),
                choice(root, "mode", Mode.class, defaults.mode()),
                (int) whole(root, "rings", 1, PlacementConfig.MAX_RINGS).orElse(defaults.rings()),
                number(root, "saturation", defaults.saturation()),
                (int) whole(root, "min_replication", 1, PlacementConfig.MAX_REPLICATION)
                        .orElse(defaults.minReplication()),
                choice(root, "id_encoding", IdEncoding.class, defaults.idEncoding()));
        return new FileConfig(placement, whole(root, "worker_capacity", 0, Worker.MAX_CAPACITY_BYTES), weights(root));
    }

    private static Map<String, Integer> weights(JsonNode root) {
        Map<String, Integer> weights = new LinkedHashMap<>();
        JsonNode given = root.path("weights");
        if (!given.isMissingNode() && !given.isObject()) {
            throw new IllegalArgumentException("weights must be a mapping of datasets to whole numbers");
        }
        given.fieldNames()
                .forEachRemaining(dataset -> weights.put(
                        dataset, (int) whole("weights: " + dataset, given.get(dataset), 1, ChunksBuilder.MAX_WEIGHT)));
        return weights;
    }

    private static OptionalLong whole(JsonNode root, String key, long least, long most) {
        JsonNode value = root.path(key);
        return value.isMissingNode() ? OptionalLong.empty() : OptionalLong.of(whole(key, value, least, most));
    }

    private static long whole(String name, JsonNode value, long least, long most) {
        if (!value.isIntegralNumber()
                || !value.canConvertToLong()
                || value.longValue() < least
                || value.longValue() > most) {
            throw new IllegalArgumentException(
                    name + " is " + value + "; it must be a whole number from " + least + " to " + most);
        }
        return value.longValue();
    }

    private static double number(JsonNode root, String key, double otherwise) {
        JsonNode value = root.path(key);
        if (value.isMissingNode()) {
            return otherwise;
        }
        if (!value.isNumber()) {
            throw new IllegalArgumentException(key + " is " + value + "; it must be a number");
        }
        return value.doubleValue();
    }

    private static <E extends Enum<E>> E choice(JsonNode root, String key, Class<E> type, E otherwise) {
        JsonNode value = root.path(key);
        if (value.isMissingNode()) {
            return otherwise;
        }
        return Arrays.stream(type.getEnumConstants())
                .filter(one -> lowerCase(one).equals(value.asText()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(key + " is " + value + "; it must be one of "
                        + Arrays.stream(type.getEnumConstants())
                                .map(FileConfig::lowerCase)
                                .collect(Collectors.joining(", "))));
    }

    /** How a choice is written in files. */
    static String lowerCase(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
