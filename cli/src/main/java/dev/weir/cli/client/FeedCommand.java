package dev.weir.cli.client;

import dev.weir.pilot.DurationOption;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./weir feed}. */
@Command(
        name = "feed",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Fills a queue from an HTTP source: when fewer items than --low wait, it asks the source for more, up to --high.",
            "",
            "It asks GET URL?n=N, and takes a JSON array, or an object with the array items, of at most N, within 30 s and 32 MiB. An entry is a key, or an item as"
                    + " POST /queue/{queue}/items takes it. An empty array means that there is nothing now.",
            ""
        },
        footer = {
            "",
            "Example: ./weir feed --queue scans --source http://inventory.site/hosts --low 100 --high 1000",
            "",
            "What the source gave is pushed until the gateway takes it. If the process ends before that, the source should give it again:"
                    + " a key is in a queue once.",
            "A key that the source gives again after its item has ended or died makes a new item, unless its result is still fresh (fresh_s of the queue).",
            "An item without room, in the queue or in its owner's share, holds up all after it until it has some. So owners with a bound"
                    + " (max_items) need a feed each."
        })
public final class FeedCommand implements Callable<Integer> {

    private static final Duration LEAST_PAUSE = Duration.ofMillis(100);

    @Spec
    private CommandSpec spec;

    @Option(names = "--queue", paramLabel = "NAME", required = true, description = "The queue to fill.")
    private String queue;

    @Option(
            names = "--source",
            paramLabel = "URL",
            required = true,
            description = "An http: or https: address, without user and password.")
    private String source;

    @Option(
            names = "--source-token-file",
            paramLabel = "FILE",
            description =
                    "A file whose first line is a bearer token for the source. It must be there at the start, and is read again at each request.")
    private Path sourceToken;

    @Option(
            names = "--low",
            paramLabel = "N",
            description =
                    "Ask for more when fewer items wait or are put off. Default: the mark of the queue (low in its settings), or "
                            + Feed.Settings.LOW + " if it has none.")
    private Integer low;

    @Option(
            names = "--high",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Fill up to so many. Default: ${DEFAULT-VALUE}.")
    private int high;

    @Option(
            names = "--every",
            paramLabel = "TIME",
            defaultValue = "1s",
            converter = DurationOption.class,
            description =
                    "Between two looks at the queue, and at a source that has nothing, 100 ms or more. A queue with a mark is looked at as soon as it falls"
                            + " below that. Default: ${DEFAULT-VALUE}.")
    private Duration every;

    @Option(
            names = "--max-idle",
            paramLabel = "TIME",
            defaultValue = "0",
            converter = DurationOption.class,
            description =
                    "End when the source has had nothing new for so long, or the queue no room for it; 0 means never."
                            + " The exit code is 1 if items that the source gave are left without room. Default: ${DEFAULT-VALUE}.")
    private Duration maxIdle;

    @Option(
            names = "--reconnect-for",
            paramLabel = "TIME",
            defaultValue = "1d",
            converter = DurationOption.class,
            description =
                    "How long to try without the gateway or the source, or with a token that one of them no longer takes, before giving up; the"
                            + " token is read again meanwhile. Default: ${DEFAULT-VALUE}.")
    private Duration reconnectFor;

    @Mixin
    private Asking asking = new Asking();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (high < 1 || low != null && (low < 1 || high < low)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--low must be at least 1 and --high at least --low, got "
                            + (low == null ? "" : low + " and ")
                            + high);
        }
        if (every.compareTo(LEAST_PAUSE) < 0) {
            throw new ParameterException(
                    spec.commandLine(), "--every must be at least 100 ms, got " + every.toMillis() + " ms");
        }
        URI address = address();
        Feed feed = new Feed(
                asking.gateway(),
                queue,
                new FeedSource(address, sourceToken),
                new Feed.Settings(low, high, every, maxIdle, reconnectFor));
        Feed.Summary summary = feed.run();
        asking.tellAsLine(asking.json() ? summary.json() : summary.line(queue));
        return summary.left() == 0 ? 0 : 1;
    }

    private URI address() {
        try {
            URI address = new URI(source);
            if (address.getRawUserInfo() != null) {
                // It would stand in the log, and Java's HTTP client does not send it.
                throw new ParameterException(
                        spec.commandLine(), "--source must have no user and password; use --source-token-file");
            }
            if (address.getHost() != null && String.valueOf(address.getScheme()).matches("(?i)https?")) {
                return address;
            }
        } catch (URISyntaxException e) {
            // As any other text.
        }
        throw new ParameterException(spec.commandLine(), "--source must be an address such as http://host/path");
    }
}
