package dev.weir.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RestFailureTest {

    private static final String OF_MAIN = "org.apache.flink.RestHandlerException: Could not execute application.\n"
            + "\tat org.apache.flink.Some.method(Some.java:1)\n"
            + "Caused by: org.apache.flink.ProgramInvocationException: The main method caused an error: invalid settings:\n"
            + "  weir.lanes: must be positive\n"
            + "\tat org.apache.flink.Other.method(Other.java:2)\n"
            + "Caused by: java.lang.IllegalArgumentException: invalid settings:\n"
            + "  weir.lanes: must be positive\n\t... 3 more\n";

    private static final String OF_FLINK = "org.apache.flink.RestHandlerException: No.\n\tat a.B.c(D.java:1)\n"
            + "Caused by: java.util.concurrent.CompletionException: java.io.IOException: disk is full\n\tat a.B.c(D.java:2)\n"
            + "End of exception on server side>";

    @ParameterizedTest
    @CsvSource({"main, 'invalid settings:\n  weir.lanes: must be positive'", "flink, disk is full", "short, Not found."
    })
    void theReasonIsGivenWithoutStackTraces(String kind, String reason) {
        String error = switch (kind) {
            case "main" -> OF_MAIN;
            case "flink" -> OF_FLINK;
            default -> "Not found.";
        };
        ObjectNode body = FlinkRest.JSON.createObjectNode();
        body.putArray("errors").add(error);

        assertThat(new RestFailure(URI.create("http://flink:8081/"), 400, body.toString()))
                .hasMessage("Flink at http://flink:8081/ refuses: " + reason);
    }

    @ParameterizedTest
    @CsvSource({"<html>no</html>", "{}"})
    void anAnswerWithoutAReasonGivesTheStatus(String body) {
        assertThat(new RestFailure(URI.create("http://flink:8081/"), 503, body))
                .hasMessage("Flink at http://flink:8081/ refuses: HTTP status 503");
    }
}
