package dev.weir.scheduler.backlog;

import dev.weir.scheduler.state.Wire;
import dev.weir.scheduler.store.ByteSink;
import dev.weir.scheduler.store.ByteSource;
import dev.weir.scheduler.store.Codec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * Consecutive files of a dataset as one value of state, in few bytes: storages, directories, group sets and kinds of checksum
 * once each; names without what they share with the name before; hexadecimal checksums as bytes. Every
 * {@value #RESTART}th name is whole, so reading any one file decodes at most that many; reading them in order decodes each once.
 *
 * <p>The content never changes. Not safe for use by several threads, because it remembers where it last read.
 */
public final class Chunk {

    private static final int RESTART = 16;
    private static final HexFormat HEX = HexFormat.of();
    private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final int NO_CHECKSUM = 0;
    private static final int TEXT_CHECKSUM = 1;
    private static final int HEX_CHECKSUM = 2;

    private final int count;
    private final long readAtMillis;
    private final List<String> words;
    private final List<List<String>> groupSets;
    /** Per file: index of its group set, priority. */
    private final byte[] keys;

    private final int[] restarts;
    private final byte[] body;

    /** Of {@link #keys}, once a file was read. */
    private int[] groupSetIndexes;

    private int[] priorities;

    private int nextIndex = -1;
    private ByteSource input;
    private String lastName = "";

    private Chunk(
            int count,
            long readAtMillis,
            List<String> words,
            List<List<String>> groupSets,
            byte[] keys,
            int[] restarts,
            byte[] body) {
        this.count = count;
        this.readAtMillis = readAtMillis;
        this.words = words;
        this.groupSets = groupSets;
        this.keys = keys;
        this.restarts = restarts;
        this.body = body;
    }

    public int count() {
        return count;
    }

    /** When its files were read, in milliseconds since 1970: since then they wait. */
    public long readAtMillis() {
        return readAtMillis;
    }

    public static Chunk of(List<Entry> entries, long readAtMillis) {
        Map<String, Integer> words = new HashMap<>();
        List<String> wordList = new ArrayList<>();
        Map<List<String>, Integer> groupSets = new HashMap<>();
        List<List<String>> groupSetList = new ArrayList<>();
        ByteSink keys = new ByteSink(entries.size() * 2);
        ByteSink body = new ByteSink(entries.size() * 64);
        int[] restarts = new int[(entries.size() + RESTART - 1) / RESTART];
        String lastName = "";
        for (int i = 0; i < entries.size(); i++) {
            Entry entry = entries.get(i);
            if (i % RESTART == 0) {
                restarts[i / RESTART] = body.size();
                lastName = "";
            }
            Wire.writeLong(keys, index(entry.groups(), groupSets, groupSetList));
            Wire.writeLong(keys, entry.priority());
            Wire.writeLong(body, index(entry.storageUrl(), words, wordList));
            Wire.writeLong(body, index(entry.path(), words, wordList));
            int shared = shared(lastName, entry.name());
            Wire.writeLong(body, shared);
            Wire.writeString(body, entry.name().substring(shared));
            Wire.writeLong(body, entry.size() == null ? 0 : entry.size() + 1);
            writeChecksum(body, entry.checksum(), words, wordList);
            lastName = entry.name();
        }
        return new Chunk(
                entries.size(), readAtMillis, wordList, groupSetList, keys.toByteArray(), restarts, body.toByteArray());
    }

    private static <T> int index(T value, Map<T, Integer> indexes, List<T> values) {
        Integer known = indexes.putIfAbsent(value, values.size());
        if (known == null) {
            values.add(value);
            return values.size() - 1;
        }
        return known;
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

    private static void writeChecksum(
            ByteSink out, String checksum, Map<String, Integer> words, List<String> wordList) {
        if (checksum == null) {
            Wire.writeLong(out, NO_CHECKSUM);
            return;
        }
        int colon = checksum.indexOf(':') + 1;
        String hex = checksum.substring(colon);
        if (hex.isEmpty() || hex.length() % 2 != 0 || !isLowerHex(hex)) {
            Wire.writeLong(out, TEXT_CHECKSUM);
            Wire.writeString(out, checksum);
        } else {
            Wire.writeLong(out, HEX_CHECKSUM + index(checksum.substring(0, colon), words, wordList));
            Wire.writeBytes(out, HEX.parseHex(hex));
        }
    }

    private static boolean isLowerHex(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!(c >= '0' && c <= '9' || c >= 'a' && c <= 'f')) {
                return false;
            }
        }
        return true;
    }

    /** The file at an index from 0. Constant cost; least when called for each index in order. */
    public Entry get(int index) {
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException("file " + index + " of " + count);
        }
        try {
            if (index != nextIndex) {
                int restart = index / RESTART;
                input = new ByteSource(body, restarts[restart]);
                lastName = "";
                for (nextIndex = restart * RESTART; nextIndex < index; nextIndex++) {
                    skip();
                }
            } else if (index % RESTART == 0) {
                lastName = "";
            }
            nextIndex = index + 1;
            return read(index);
        } catch (IOException e) {
            throw new UncheckedIOException("a chunk is damaged", e);
        }
    }

    private void skip() throws IOException {
        Wire.readLong(input);
        Wire.readLong(input);
        readName();
        Wire.readLong(input);
        readChecksum();
    }

    private Entry read(int index) throws IOException {
        String storageUrl = words.get(Wire.readInt(input));
        String path = words.get(Wire.readInt(input));
        String name = readName();
        long size = Wire.readLong(input);
        String checksum = readChecksum();
        if (priorities == null) {
            decodeKeys();
        }
        List<String> groups = groupSets.get(groupSetIndexes[index]);
        return new Entry(name, storageUrl, path, size == 0 ? null : size - 1, checksum, priorities[index], groups);
    }

    private String readName() throws IOException {
        int shared = Wire.readInt(input);
        String rest = Wire.readString(input);
        lastName = shared == 0 ? rest : lastName.substring(0, shared) + rest;
        return lastName;
    }

    private String readChecksum() throws IOException {
        int kind = Wire.readInt(input);
        return switch (kind) {
            case NO_CHECKSUM -> null;
            case TEXT_CHECKSUM -> Wire.readString(input);
            default -> words.get(kind - HEX_CHECKSUM) + hex(Wire.readBytes(input));
        };
    }

    /** Two lower-case digits to a byte. */
    private static String hex(byte[] value) {
        byte[] text = new byte[2 * value.length];
        int at = 0;
        for (byte b : value) {
            text[at++] = DIGITS[b >> 4 & 15];
            text[at++] = DIGITS[b & 15];
        }
        return new String(text, StandardCharsets.ISO_8859_1);
    }

    private void decodeKeys() throws IOException {
        int[] groupSetOf = new int[count];
        int[] priorityOf = new int[count];
        ByteSource in = new ByteSource(keys, 0);
        for (int i = 0; i < count; i++) {
            groupSetOf[i] = Wire.readInt(in);
            priorityOf[i] = Wire.readInt(in);
        }
        groupSetIndexes = groupSetOf;
        priorities = priorityOf;
    }

    /** Hears the keys of each file. */
    public interface KeyConsumer {
        void accept(int index, List<String> groups, int priority);
    }

    /** The keys of all files, in order, without decoding names. */
    public void forEachKey(KeyConsumer consumer) {
        try {
            ByteSource in = new ByteSource(keys, 0);
            for (int i = 0; i < count; i++) {
                consumer.accept(i, groupSets.get(Wire.readInt(in)), Wire.readInt(in));
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
            Wire.writeLong(out, chunk.count);
            Wire.writeLong(out, chunk.readAtMillis);
            Wire.writeStrings(out, chunk.words);
            Wire.writeLong(out, chunk.groupSets.size());
            for (List<String> groups : chunk.groupSets) {
                Wire.writeStrings(out, groups);
            }
            Wire.writeBytes(out, chunk.keys);
            for (int i = 1; i < chunk.restarts.length; i++) {
                Wire.writeLong(out, chunk.restarts[i] - chunk.restarts[i - 1]);
            }
            Wire.writeBytes(out, chunk.body);
        }

        @Override
        public Chunk read(int version, ByteSource in) throws IOException {
            int count = Wire.readInt(in);
            long readAtMillis = Wire.readLong(in);
            List<String> words = Wire.readStrings(in);
            int sets = Wire.readInt(in);
            List<List<String>> groupSets = new ArrayList<>(sets);
            for (int i = 0; i < sets; i++) {
                groupSets.add(List.copyOf(Wire.readStrings(in)));
            }
            byte[] keys = Wire.readBytes(in);
            int[] restarts = new int[(count + RESTART - 1) / RESTART];
            for (int i = 1; i < restarts.length; i++) {
                restarts[i] = restarts[i - 1] + Wire.readInt(in);
            }
            return new Chunk(count, readAtMillis, words, groupSets, keys, restarts, Wire.readBytes(in));
        }
    }
}
