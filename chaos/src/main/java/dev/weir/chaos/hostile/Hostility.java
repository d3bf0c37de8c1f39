package dev.weir.chaos.hostile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * An endless row of bad messages. The same seed gives the same row, except for what is replayed, which has been sent by others. For one
 * thread.
 */
public final class Hostility {

    /** The pool that its tasks name; it has no pilots. */
    public static final String POOL = "trap";

    private static final int LIMIT_BYTES = 1_048_576;
    private static final int LEAST_DEPTH = 1_001;
    private static final int MORE_DEPTH = 20_000;
    private static final int MOST_RANDOM_BYTES = 200;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Spoiling[] SPOILINGS = weighted();
    private static final Door[] DOORS = Stream.of(Door.values())
            .flatMap(door -> Stream.generate(() -> door).limit(door.share()))
            .toArray(Door[]::new);
    /** No UTF-8 has any of these. */
    private static final List<byte[]> NEVER =
            List.of(new byte[] {(byte) 0xff}, new byte[] {(byte) 0xc3, 0x28}, new byte[] {(byte) 0x80});
    /** A surrogate, and a slash that is longer than it must be: some readers take them. */
    private static final List<byte[]> RARELY =
            List.of(new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80}, new byte[] {(byte) 0xc0, (byte) 0xaf});

    private final Random random;
    private final Templates templates;
    private final Replays replays;

    /** @param replays what was sent by others and by this */
    public Hostility(long seed, Instant begin, Replays replays) {
        this.random = new Random(seed);
        this.templates = new Templates(random, begin);
        this.replays = replays;
    }

    private static Spoiling[] weighted() {
        return Stream.of(Spoiling.values())
                .flatMap(one -> Stream.generate(() -> one).limit(one.share()))
                .toArray(Spoiling[]::new);
    }

    public BadMessage next() {
        Door door = DOORS[random.nextInt(DOORS.length)];
        BadMessage given = spoilt(door, SPOILINGS[random.nextInt(SPOILINGS.length)]);
        BadMessage next = isWhole(given.spoiling())
                ? given
                : new BadMessage(door, given.spoiling(), door.whole(given.body()), given.mustBeRejected());
        replays.noteBad(door, next.body());
        return next;
    }

    /** A door whose messages are never right at this one: beats go to reports and to the queues. */
    private Door elsewhere(Door door) {
        return door.hasEntries()
                ? Door.values()[random.nextInt(2)]
                : Door.values()[(door.ordinal() + 1 + random.nextInt(3)) % 4];
    }

    private static boolean isWhole(Spoiling spoiling) {
        return spoiling == Spoiling.GARBAGE || spoiling == Spoiling.MISPLACED || spoiling == Spoiling.REPLAY;
    }

    private BadMessage spoilt(Door door, Spoiling spoiling) {
        ObjectNode good = templates.next(door);
        return switch (spoiling) {
            case TRUNCATED -> rejected(door, spoiling, truncated(bytes(good)));
            case GARBAGE -> rejected(door, spoiling, garbage());
            case MISSING -> {
                good.remove(one(Templates.required(door, good)));
                yield rejected(door, spoiling, bytes(good));
            }
            case WRONG_TYPE -> {
                String field = one(Templates.required(door, good));
                good.set(field, otherType(field, good.get(field)));
                yield rejected(door, spoiling, bytes(good));
            }
            case OUT_OF_RANGE -> outOfRange(door, good);
            case STRING ->
                new BadMessage(
                        door,
                        spoiling,
                        put(good, text(good), HostileTexts.PLACE, '"' + one(HostileTexts.ESCAPED) + '"'),
                        false);
            case UNKNOWN_FIELD -> {
                good.put("x_" + random.nextInt(), HostileTexts.PLACE);
                yield new BadMessage(door, spoiling, bytes(good), door == Door.COMMANDS);
            }
            case DUPLICATE -> {
                String field = names(good).get(0);
                String twice = "{\"" + field + "\":" + good.get(field) + ",";
                yield rejected(door, spoiling, utf8(twice + good.toString().substring(1)));
            }
            case BYTES -> notText(door, good);
            case MISPLACED -> {
                Door other = elsewhere(door);
                yield rejected(door, spoiling, bytes(templates.next(other)));
            }
            case REPLAY -> {
                byte[] before = replays.one(door, random);
                yield before == null
                        ? rejected(door, Spoiling.GARBAGE, new byte[0])
                        : new BadMessage(door, spoiling, before, false);
            }
            case DEEP -> rejected(door, spoiling, deep(good));
            case HUGE -> rejected(door, spoiling, huge(good));
        };
    }

    private static BadMessage rejected(Door door, Spoiling spoiling, byte[] body) {
        return new BadMessage(door, spoiling, body, true);
    }

    private byte[] truncated(byte[] whole) {
        return Arrays.copyOf(whole, random.nextInt(whole.length));
    }

    private byte[] garbage() {
        if (random.nextBoolean()) {
            return utf8(one(HostileTexts.BODIES));
        }
        byte[] bytes = new byte[1 + random.nextInt(MOST_RANDOM_BYTES)];
        random.nextBytes(bytes);
        // Random bytes may be anything; these begin no JSON.
        bytes[0] |= (byte) 0x80;
        return bytes;
    }

    private JsonNode otherType(String field, JsonNode value) {
        boolean mayBeNumber = value.isNumber() || field.equals("at");
        return switch (random.nextInt(4)) {
            case 0 -> JSON.createObjectNode();
            case 1 -> JSON.createArrayNode().add(value);
            case 2 -> JSON.getNodeFactory().booleanNode(random.nextBoolean());
            default ->
                mayBeNumber
                        ? JSON.getNodeFactory().textNode("7")
                        : JSON.getNodeFactory().numberNode(7);
        };
    }

    private BadMessage outOfRange(Door door, ObjectNode good) {
        List<String> numbers = names(good).stream()
                .filter(name -> good.get(name).isNumber() || name.equals("at") || name.equals("sent_at"))
                .toList();
        return rejected(
                door, Spoiling.OUT_OF_RANGE, put(good, one(numbers), HostileTexts.PLACE, one(HostileTexts.NUMBERS)));
    }

    private String text(ObjectNode good) {
        return one(
                names(good).stream().filter(name -> good.get(name).isTextual()).toList());
    }

    /** Puts text that no JSON writer would write in place of a field's value. */
    private static byte[] put(ObjectNode good, String field, String place, String json) {
        good.put(field, place);
        return utf8(good.toString().replace('"' + place + '"', json));
    }

    private BadMessage notText(Door door, ObjectNode good) {
        if (random.nextInt(10) == 0) {
            // Of each character two bytes: a reader may guess that.
            return new BadMessage(door, Spoiling.BYTES, good.toString().getBytes(StandardCharsets.UTF_16BE), false);
        }
        boolean never = random.nextInt(3) > 0;
        byte[] bad = one(never ? NEVER : RARELY);
        String json = good.put(text(good), HostileTexts.PLACE).toString();
        int at = json.indexOf(HostileTexts.PLACE);
        byte[] before = utf8(json.substring(0, at));
        byte[] after = utf8(json.substring(at + HostileTexts.PLACE.length()));
        byte[] body = Arrays.copyOf(before, before.length + bad.length + after.length);
        System.arraycopy(bad, 0, body, before.length, bad.length);
        System.arraycopy(after, 0, body, before.length + bad.length, after.length);
        return new BadMessage(door, Spoiling.BYTES, body, never);
    }

    private byte[] deep(ObjectNode good) {
        int depth = LEAST_DEPTH + random.nextInt(MORE_DEPTH);
        boolean objects = random.nextBoolean();
        String opening = (objects ? "{\"a\":" : "[").repeat(depth);
        return put(good, "x", HostileTexts.PLACE, opening + "1" + (objects ? "}" : "]").repeat(depth));
    }

    private byte[] huge(ObjectNode good) {
        int more = LIMIT_BYTES + random.nextInt(LIMIT_BYTES);
        return random.nextBoolean() ? utf8(good + " ".repeat(more)) : bytes(good.put(text(good), "h".repeat(more)));
    }

    private static List<String> names(ObjectNode of) {
        return of.properties().stream().map(java.util.Map.Entry::getKey).toList();
    }

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private static byte[] bytes(ObjectNode message) {
        return utf8(message.toString());
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
