package dev.weir.cli.http;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Answers of servers that tests start. */
public final class TestAnswers {

    private TestAnswers() {}

    /** Reads the request to its end, and answers it. */
    public static void answer(HttpExchange http, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        http.getRequestBody().readAllBytes();
        http.sendResponseHeaders(status, bytes.length);
        http.getResponseBody().write(bytes);
        http.close();
    }
}
