package dev.weir.gateway.http;

import dev.weir.protocol.Json;
import io.javalin.http.Context;
import java.util.zip.CRC32C;

/** Answers with an {@code ETag}. Clients poll: an answer that they have already is not sent again. */
final class Tagged {

    private Tagged() {}

    static void write(Context http, Object body) {
        write(http, "application/json", Json.write(body));
    }

    static void write(Context http, String type, byte[] body) {
        CRC32C sum = new CRC32C();
        sum.update(body);
        String tag = "\"" + Integer.toHexString(body.length) + "-" + Long.toHexString(sum.getValue()) + "\"";
        http.header("ETag", tag);
        if (tag.equals(http.header("If-None-Match"))) {
            http.status(304);
        } else {
            http.status(200).contentType(type).result(body);
        }
    }
}
