package dev.weir.placement.files;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** Reads a file of JSON objects, one a line, plain or gzip (recognised by its first bytes, not its name). Blank lines are skipped. */
final class JsonLines {

    /** The longest line. */
    static final int MAX_LINE_BYTES = 1 << 20;

    private static final int BUFFER_BYTES = 1 << 16;
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .build();

    /** Takes one field of an object; the parser stands on its value, and must be left at the value's end. */
    interface Fields {

        /** A new line begins. */
        void begin();

        /** @throws IllegalArgumentException when the value is not what the field may have */
        void field(String name, JsonParser value) throws IOException;

        /** The object is complete. @throws IllegalArgumentException when it is not acceptable as a whole */
        void end(long line);
    }

    private JsonLines() {}

    /** Reads all lines; each bad one is collected, and reading goes on. */
    static void read(Path file, Fields fields, InputException.Collector errors) throws InputException {
        long line = 0;
        try (InputStream in = open(file)) {
            byte[] buffer = new byte[BUFFER_BYTES];
            byte[] pending = new byte[1024];
            int held = 0;
            int got;
            while ((got = in.read(buffer)) >= 0) {
                int from = 0;
                for (int i = 0; i < got; i++) {
                    if (buffer[i] == '\n') {
                        pending = append(pending, held, buffer, from, i);
                        parse(pending, held + i - from, ++line, fields, errors);
                        held = 0;
                        from = i + 1;
                    }
                }
                pending = append(pending, held, buffer, from, got);
                held = Math.min(held + got - from, MAX_LINE_BYTES + 1);
            }
            if (held > 0) {
                parse(pending, held, ++line, fields, errors);
            }
            if (in instanceof WholeGzip gzip) {
                gzip.requireNothingLeft();
            }
        } catch (EOFException | ZipException damaged) {
            throw new InputException(file + ":" + (line + 1) + ": the gzip data is damaged or cut off"
                    + (damaged.getMessage() == null ? "" : ": " + damaged.getMessage()));
        } catch (IOException unreadable) {
            throw InputException.unreadable(file, unreadable);
        }
    }

    private static InputStream open(Path file) throws IOException {
        BufferedInputStream plain = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES);
        try {
            plain.mark(2);
            boolean gzip = plain.read() == 0x1f && plain.read() == 0x8b;
            plain.reset();
            return gzip ? new WholeGzip(plain) : plain;
        } catch (IOException failure) {
            plain.close();
            throw failure;
        }
    }

    /**
     * Gzip data, perhaps of several members. The library silently takes a member with a damaged header for the end, and
     * all that follows would be missing.
     */
    private static final class WholeGzip extends GZIPInputStream {

        private static final int TRAILER_BYTES = 8;

        WholeGzip(InputStream in) throws IOException {
            super(in, BUFFER_BYTES);
        }

        /** To be called at the end of the data. */
        void requireNothingLeft() throws IOException {
            if (inf.getRemaining() > TRAILER_BYTES || in.available() > 0) {
                throw new ZipException("what follows is not gzip");
            }
        }
    }

    /** Appends to what is held of a line; of one that is too long, only as much as shows that it is. */
    private static byte[] append(byte[] pending, int held, byte[] buffer, int from, int to) {
        int wanted = Math.min(to - from, MAX_LINE_BYTES + 1 - held);
        byte[] target = pending;
        if (held + wanted > pending.length) {
            target = Arrays.copyOf(pending, Math.max(held + wanted, 2 * pending.length));
        }
        System.arraycopy(buffer, from, target, held, wanted);
        return target;
    }

    private static void parse(byte[] bytes, int length, long line, Fields fields, InputException.Collector errors) {
        if (length > MAX_LINE_BYTES) {
            errors.add(line, "the line is longer than " + MAX_LINE_BYTES + " bytes");
            return;
        }
        if (isBlank(bytes, length)) {
            return;
        }
        try (JsonParser parser = JSON.createParser(bytes, 0, length)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("a JSON object is expected");
            }
            fields.begin();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                fields.field(name, parser);
                parser.skipChildren();
            }
            if (parser.nextToken() != null) {
                throw new IllegalArgumentException("something follows the JSON object");
            }
            fields.end(line);
        } catch (JsonProcessingException malformed) {
            errors.add(line, "not JSON: " + InputException.reason(malformed));
        } catch (IOException malformed) {
            errors.add(line, "not JSON: " + malformed.getMessage());
        } catch (IllegalArgumentException refused) {
            errors.add(line, refused.getMessage());
        }
    }

    private static boolean isBlank(byte[] bytes, int length) {
        for (int i = 0; i < length; i++) {
            if (bytes[i] != ' ' && bytes[i] != '\t' && bytes[i] != '\r') {
                return false;
            }
        }
        return true;
    }

    /** The value as text. */
    static String text(String name, JsonParser value) throws IOException {
        if (value.currentToken() != JsonToken.VALUE_STRING) {
            throw new IllegalArgumentException(name + " must be a string");
        }
        String text = value.getText();
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (i + 1 == text.length() || !Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1))) {
                    // No UTF-8 stands for it: written as '?', different names would be one.
                    throw new IllegalArgumentException(name + " has half a surrogate pair at " + i);
                }
                i++;
            }
        }
        return text;
    }

    /** The value as a whole number. */
    static long wholeNumber(String name, JsonParser value) throws IOException {
        if (value.currentToken() != JsonToken.VALUE_NUMBER_INT) {
            throw new IllegalArgumentException(name + " must be a whole number");
        }
        try {
            return value.getLongValue();
        } catch (JsonProcessingException tooLarge) {
            throw new IllegalArgumentException(name + " is too large: " + value.getText(), tooLarge);
        }
    }
}
