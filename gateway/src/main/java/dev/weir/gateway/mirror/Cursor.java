package dev.weir.gateway.mirror;

import dev.weir.web.Problem;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** The place behind the last entry of a page, as a text that clients hand back unread. */
final class Cursor {

    private static final String SEPARATOR = "\n";

    private Cursor() {}

    static String of(Object... keys) {
        StringBuilder text = new StringBuilder();
        for (Object key : keys) {
            text.append(text.isEmpty() ? "" : SEPARATOR).append(key);
        }
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(text.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** The keys; throws {@link Problem} for a text that is no such place. */
    static List<String> read(String after, int keys) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(after);
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            List<String> read = List.of(keys == 1 ? new String[] {text} : text.split(SEPARATOR, -1));
            if (read.size() == keys && text.indexOf('\0') < 0) {
                return read;
            }
        } catch (IllegalArgumentException | CharacterCodingException e) {
            // Said below.
        }
        throw invalid();
    }

    static Problem invalid() {
        return Problem.ofQuery("after", "after must be the next of an earlier page of this list");
    }
}
