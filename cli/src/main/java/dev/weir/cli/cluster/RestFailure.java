package dev.weir.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A refusal of Flink's REST API. The message is the reason, without Flink's stack traces around it. */
final class RestFailure extends IOException {

    private static final long serialVersionUID = 1;

    /** What a program threw, up to its stack trace. */
    private static final Pattern OF_MAIN =
            Pattern.compile("The main method caused an error: (.*?)(?=\\R\\s+at |\\RCaused by: |\\z)", Pattern.DOTALL);

    private static final Pattern CAUSE = Pattern.compile(
            "Caused by: (?:[\\w.$]+: )*(.*?)(?=\\R\\s+at |\\RCaused by: |\\REnd of |\\z)", Pattern.DOTALL);

    private final int status;

    RestFailure(URI flink, int status, String body) {
        super("Flink at " + flink + " refuses: " + reason(status, body));
        this.status = status;
    }

    int status() {
        return status;
    }

    private static String reason(int status, String body) {
        List<String> errors = new ArrayList<>();
        try {
            for (JsonNode error : FlinkRest.JSON.readTree(body).path("errors")) {
                errors.add(error.asText());
            }
        } catch (IOException e) {
            return "HTTP status " + status;
        }
        return reason(errors).orElse("HTTP status " + status);
    }

    private static Optional<String> reason(List<String> errors) {
        String all = String.join("\n", errors);
        Matcher main = OF_MAIN.matcher(all);
        if (main.find()) {
            return Optional.of(main.group(1).strip());
        }
        String innermost = null;
        Matcher cause = CAUSE.matcher(all);
        while (cause.find()) {
            innermost = cause.group(1).strip();
        }
        if (innermost != null && !innermost.isEmpty()) {
            return Optional.of(innermost);
        }
        return errors.stream().flatMap(String::lines).findFirst();
    }
}
