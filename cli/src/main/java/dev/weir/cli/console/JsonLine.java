package dev.weir.cli.console;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;

/** The result of a command as one line of JSON. */
public final class JsonLine {

    private static final ObjectMapper JSON = new ObjectMapper();

    private JsonLine() {}

    /** Throws also when the line cannot be written. */
    public static void print(PrintWriter out, Object result) throws IOException {
        out.println(JSON.writeValueAsString(result));
        Output.flush(out);
    }
}
