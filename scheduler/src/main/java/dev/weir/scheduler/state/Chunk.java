package dev.weir.scheduler.state;

import dev.weir.engine.store.ByteSink;
import dev.weir.engine.store.ByteSource;
import dev.weir.engine.store.Codec;
import dev.weir.engine.store.Wire;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Consecutive files of a dataset as one value of state, in few bytes: storages, directories, group sets and kinds of checksum
 * once each; names without the prefix that they share with the name before; hexadecimal checksums as bytes. Every
 * {@value #RESTART}th name is whole, so reading any one file decodes at most that many; reading them in order decodes each once.
 *
 * <p>The content never changes. Not safe for use by several threads, because it remembers where it last read.
 */
public final class Chunk {

    private static final int RESTART = 16;
    private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final int NO_CHECKSUM = 0;
    private static final int TEXT_CHECKSUM = 1;
    private static final int HEX_CHECKSUM = 2;

    /** The chunk as it is stored. */
    private final byte[] bytes;

    private final int from;
    private final int count;
    private final long readAtMillis;
    /** Offset of each word and each group set, and a cache of the ones that were read. */
    private final int[] wordsAt;

    private final String[] words;
    private final int[] groupSetsAt;
    private final List<String>[] groupSets;
    /** Where the keys are (per file: index of its group set, priority), where the body is, and every {@value #RESTART}th name in it. */
    private final int keysAt;

    private final int bodyAt;
    private final int[] restarts;

    private int nextIndex = -1;
    private ByteSource input;
    private final StringBuilder name = new StringBuilder();
    private int keyIndex;
    private ByteSource keys;

    @SuppressWarnings("unchecked")
    private Chunk(byte[] bytes, int from) throws IOException {
        this.bytes = bytes;
        this.from = from;
        ByteSource in = new ByteSource(bytes, from);
        count = in.readCount();
        readAtMillis = Wire.readLong(in);
        wordsAt = new int[in.readCount()];
        words = new String[wordsAt.length];
        for (int i = 0; i < wordsAt.length; i++) {
            wordsAt[i] = in.position();
            in.skipText();
        }
        groupSetsAt = new int[in.readCount()];
        groupSets = new List[groupSetsAt.length];
        for (int i = 0; i < groupSetsAt.length; i++) {
            groupSetsAt[i] = in.position();
            for (int left = in.readCount(); left > 0; left--) {
                in.skipText();
            }
        }
        int keysLength = in.readCount();
        keysAt = in.position();
        in.skip(keysLength);
        restarts = new int[(count + RESTART - 1) / RESTART];
        for (int i = 1; i < restarts.length; i++) {
            restarts[i] = restarts[i - 1] + Wire.readInt(in);
        }
        int bodyLength = in.readCount();
        bodyAt = in.position();
        in.skip(bodyLength);
    }

    public int count() {
        return count;
    }

    /** When its files were read and began to wait, in milliseconds since 1970. */
    public long readAtMillis() {
        return readAtMillis;
    }

    public static Chunk of(List<WaitingFile> entries, long readAtMillis) {
        Map<String, Integer> words = new LinkedHashMap<>();
        Map<List<String>, Integer> groupSets = new LinkedHashMap<>();
        ByteSink keys = new ByteSink(entries.size() * 2);
        ByteSink body = new ByteSink(entries.size() * 64);
        int[] restarts = new int[(entries.size() + RESTART - 1) / RESTART];
        String lastName = "";
        WaitingFile last = null;
        int storage = 0;
        int directory = 0;
        int groupSet = 0;
        for (int i = 0; i < entries.size(); i++) {
            WaitingFile entry = entries.get(i);
            // Mostly the same as for the file before, so that nothing is looked up.
            if (last == null || !entry.storageUrl().equals(last.storageUrl())) {
                storage = index(entry.storageUrl(), words);
            }
            if (last == null || !entry.path().equals(last.path())) {
                directory = index(entry.path(), words);
            }
            if (last == null || !entry.groups().equals(last.groups())) {
                groupSet = index(entry.groups(), groupSets);
            }
            last = entry;
            if (i % RESTART == 0) {
                restarts[i / RESTART] = body.size();
                lastName = "";
            }
            keys.writeVarint(groupSet);
            keys.writeVarint(entry.priority());
            body.writeVarint(storage);
            body.writeVarint(directory);
            int shared = shared(lastName, entry.name());
            body.writeVarint(shared);
            body.writeText(entry.name().substring(shared));
            body.writeVarint(entry.size() == null ? 0 : entry.size() + 1);
            writeChecksum(body, entry.checksum(), words);
            lastName = entry.name();
        }
        ByteSink out = new ByteSink(body.size() + keys.size() + 256);
        out.writeVarint(entries.size());
        out.writeVarint(readAtMillis);
        Wire.writeStrings(out, List.copyOf(words.keySet()));
        out.writeVarint(groupSets.size());
        for (List<String> groups : groupSets.keySet()) {
            Wire.writeStrings(out, groups);
        }
        Wire.writeBytes(out, keys.toByteArray());
        for (int i = 1; i < restarts.length; i++) {
            out.writeVarint(restarts[i] - restarts[i - 1]);
        }
        Wire.writeBytes(out, body.toByteArray());
        return made(out.toByteArray(), words, groupSets);
    }

    /** Keeps the decoded parts, because the chunk is indexed next. */
    private static Chunk made(byte[] bytes, Map<String, Integer> words, Map<List<String>, Integer> groupSets) {
        try {
            Chunk chunk = new Chunk(bytes, 0);
            words.forEach((word, index) -> chunk.words[index] = word);
            groupSets.forEach((groups, index) -> chunk.groupSets[index] = groups);
            return chunk;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static <T> int index(T value, Map<T, Integer> indexes) {
        Integer known = indexes.putIfAbsent(value, indexes.size());
        return known == null ? indexes.size() - 1 : known;
    }

    private static int shared(String a, String b) {
        int most = Math.min(a.length(), b.length());
        int i = 0;
        while (i < most && a.charAt(i) == b.charAt(i)) {
            i++;
        }
        // Never between the halves of a surrogate pair: each part must be valid text of its own.
        return i > 0 && i < b.length() && Character.isLowSurrogate(b.charAt(i)) ? i - 1 : i;
    }

    private static void writeChecksum(ByteSink out, String checksum, Map<String, Integer> words) {
        if (checksum == null) {
            out.writeVarint(NO_CHECKSUM);
            return;
        }
        int colon = checksum.indexOf(':') + 1;
        byte[] value = parseLowerHex(checksum, colon);
        if (value == null) {
            out.writeVarint(TEXT_CHECKSUM);
            out.writeText(checksum);
        } else {
            out.writeVarint(HEX_CHECKSUM + index(checksum.substring(0, colon), words));
            Wire.writeBytes(out, value);
        }
    }

    /** The bytes that the rest of a text spells in lower-case hexadecimal digits; null when it is anything else, or empty. */
    private static byte[] parseLowerHex(String text, int from) {
        int length = text.length() - from;
        if (length == 0 || length % 2 != 0) {
            return null;
        }
        byte[] value = new byte[length / 2];
        for (int i = 0; i < value.length; i++) {
            int high = digit(text.charAt(from + 2 * i));
            int low = digit(text.charAt(from + 2 * i + 1));
            if ((high | low) < 0) {
                return null;
            }
            value[i] = (byte) (high << 4 | low);
        }
        return value;
    }

    private static int digit(char c) {
        return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    }

    /** The file at an index from 0. Constant cost; least when called for each index in order. */
    public WaitingFile get(int index) {
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException("file " + index + " of " + count);
        }
        try {
            if (index != nextIndex) {
                int restart = index / RESTART;
                input = new ByteSource(bytes, bodyAt + restarts[restart]);
                name.setLength(0);
                for (nextIndex = restart * RESTART; nextIndex < index; nextIndex++) {
                    skip();
                }
            } else if (index % RESTART == 0) {
                name.setLength(0);
            }
            nextIndex = index + 1;
            return read(index);
        } catch (IOException e) {
            throw new UncheckedIOException("a chunk is damaged", e);
        }
    }

    private void skip() throws IOException {
        input.readVarint();
        input.readVarint();
        readName();
        input.readVarint();
        int kind = Wire.readInt(input);
        if (kind == TEXT_CHECKSUM) {
            input.skipText();
        } else if (kind != NO_CHECKSUM) {
            input.skip(input.readCount());
        }
    }

    private WaitingFile read(int index) throws IOException {
        String storageUrl = word(Wire.readInt(input));
        String path = word(Wire.readInt(input));
        readName();
        long size = input.readVarint();
        String checksum = readChecksum();
        if (keys == null || keyIndex > index) {
            keys = new ByteSource(bytes, keysAt);
            keyIndex = 0;
        }
        for (; keyIndex < index; keyIndex++) {
            keys.readVarint();
            keys.readVarint();
        }
        List<String> groups = groupSet(Wire.readInt(keys));
        int priority = Wire.readInt(keys);
        keyIndex++;
        return new WaitingFile(
                name.toString(), storageUrl, path, size == 0 ? null : size - 1, checksum, priority, groups);
    }

    private void readName() throws IOException {
        name.setLength(Wire.readInt(input));
        name.append(input.readText());
    }

    private String readChecksum() throws IOException {
        int kind = Wire.readInt(input);
        return switch (kind) {
            case NO_CHECKSUM -> null;
            case TEXT_CHECKSUM -> input.readText();
            default -> {
                int length = input.readCount();
                int from = input.position();
                input.skip(length);
                yield word(kind - HEX_CHECKSUM) + hex(from, length);
            }
        };
    }

    /** Two lower-case digits to each of some bytes. */
    private String hex(int start, int length) {
        byte[] text = new byte[2 * length];
        for (int i = 0; i < length; i++) {
            text[2 * i] = DIGITS[bytes[start + i] >> 4 & 15];
            text[2 * i + 1] = DIGITS[bytes[start + i] & 15];
        }
        return new String(text, StandardCharsets.ISO_8859_1);
    }

    private String word(int index) throws IOException {
        if (words[index] == null) {
            words[index] = new ByteSource(bytes, wordsAt[index]).readText();
        }
        return words[index];
    }

    private List<String> groupSet(int index) throws IOException {
        if (groupSets[index] == null) {
            groupSets[index] = List.copyOf(Wire.readStrings(new ByteSource(bytes, groupSetsAt[index])));
        }
        return groupSets[index];
    }

    /** Receives the keys of each file. */
    public interface KeyConsumer {
        void accept(int index, List<String> groups, int priority);
    }

    /** The keys of all files, in order, without decoding names. */
    public void forEachKey(KeyConsumer consumer) {
        try {
            ByteSource in = new ByteSource(bytes, keysAt);
            for (int i = 0; i < count; i++) {
                List<String> groups = groupSet(Wire.readInt(in));
                consumer.accept(i, groups, Wire.readInt(in));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("a chunk is damaged", e);
        }
    }

    /** See {@link Chunk}. */
    public static final class ChunkCodec implements Codec<Chunk> {
        @Override
        public int version() {
            return 1;
        }

        @Override
        public void write(Chunk chunk, ByteSink out) {
            out.write(chunk.bytes, chunk.from, chunk.bytes.length - chunk.from);
        }

        @Override
        public Chunk read(int version, ByteSource in) throws IOException {
            // Its bytes are not copied, and the words and names of the other files not decoded: most reads want one
            // file.
            return in.rest(Chunk::new);
        }
    }
}
