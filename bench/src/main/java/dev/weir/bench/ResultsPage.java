package dev.weir.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The page docs/BENCHMARKS.md, whose tables come from docs/results/&lt;benchmark&gt;.json. Between the markers of a benchmark stands
 * what its JSON gives; everything else on the page is written by hand.
 */
final class ResultsPage {

    private static final Pattern BLOCK =
            Pattern.compile("(?s)(<!-- results of ([a-z0-9-]+) -->\\n).*?(<!-- end of results -->)");

    private final Path docs;

    /** @param docs the directory of the documents */
    ResultsPage(Path docs) {
        this.docs = docs;
    }

    Path file() {
        return docs.resolve("BENCHMARKS.md");
    }

    /**
     * Keeps a benchmark's result and figures as those that the page shows.
     *
     * @param directory holds the {@code result.json} and the figures of the run
     */
    void keep(Outcome outcome, Path directory) throws IOException {
        ObjectMapper json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
        ObjectNode kept =
                (ObjectNode) json.readTree(directory.resolve("result.json").toFile());
        ArrayNode figures = kept.putArray("figures");
        Files.createDirectories(docs.resolve("figures"));
        for (Path figure : outcome.figures()) {
            String name = outcome.name() + "-" + figure.getFileName();
            Files.copy(figure, docs.resolve("figures").resolve(name), StandardCopyOption.REPLACE_EXISTING);
            figures.add(name);
        }
        Files.createDirectories(docs.resolve("results"));
        Files.writeString(result(outcome.name()), json.writeValueAsString(kept) + "\n");
    }

    /** Writes the page with the tables of the kept results. */
    void write() throws IOException {
        Files.writeString(file(), generated());
    }

    /** The page with the tables of the kept results. */
    String generated() throws IOException {
        Matcher block = BLOCK.matcher(Files.readString(file()));
        StringBuilder page = new StringBuilder();
        while (block.find()) {
            String table = ResultTable.markdown(
                    new ObjectMapper().readTree(result(block.group(2)).toFile()));
            block.appendReplacement(page, Matcher.quoteReplacement(block.group(1) + table + block.group(3)));
        }
        return block.appendTail(page).toString();
    }

    private Path result(String benchmark) {
        return docs.resolve("results").resolve(benchmark + ".json");
    }
}
