package dev.weir.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.protocol.Json;
import java.io.IOException;
import java.net.http.HttpHeaders;

/** An answer of the gateway that the contract allows. */
record Answer(int status, HttpHeaders headers, String body) {

    JsonNode json() {
        try {
            return Json.mapper().readTree(body);
        } catch (IOException e) {
            throw new AssertionError("not JSON: " + body, e);
        }
    }

    String text(String field) {
        return json().path(field).asText();
    }
}
