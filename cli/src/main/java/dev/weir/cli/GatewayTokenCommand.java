package dev.weir.cli;

import dev.weir.cli.console.Output;
import dev.weir.gateway.access.Role;
import dev.weir.gateway.access.Scope;
import dev.weir.gateway.access.Token;
import dev.weir.gateway.access.TokenFile;
import dev.weir.job.ConfigFile;
import dev.weir.job.options.GatewaySettings;
import dev.weir.protocol.InvalidMessage;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./weir gateway token}: makes a token. */
@Command(
        name = "token",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Makes a token for the gateway, in place of one of the same name, and prints it. It is not kept, only its hash.",
            "",
            "To take a token away, delete its line in the file of tokens. Running gateways notice within a second."
        },
        footer = {
            "",
            "Example: ./weir gateway token --config flink-conf/weir.yaml --name site7 --role pilot --pilots 'node7-*'",
            "         ./weir gateway token --config flink-conf/weir.yaml --name scanner --role worker --queues scans --kinds tcp,udp"
        })
final class GatewayTokenCommand implements Callable<Integer> {

    private static final int MAX_DAYS = 3650;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "File with the settings; weir.gateway.tokens-file of it names the file of tokens.")
    private Path config;

    @Option(
            names = "--tokens-file",
            paramLabel = "FILE",
            description = "The file of tokens, in place of the one that the settings name; made if absent.")
    private Path file;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            required = true,
            description =
                    "Whose token it is: 1 to 60 of A-Z a-z 0-9 . _ -; it stands in commands and in the audit log.")
    private String name;

    @Option(
            names = "--role",
            paramLabel = "ROLE",
            required = true,
            description =
                    "viewer (reads), wfms (also sends and steers tasks), pilot (for pilots without AMQP; also reads and steers them), worker (takes items"
                            + " from queues), feeder (puts items into queues), ranker (brings facts that make their priorities), or operator (the rest).")
    private Role role;

    @Option(
            names = "--days",
            paramLabel = "N",
            defaultValue = "90",
            description = "Days until it expires, 1 to 3650. Default: ${DEFAULT-VALUE}.")
    private int days;

    @Option(
            names = "--tasks",
            paramLabel = "UID,…",
            split = ",",
            description = "The tasks that it may send and steer, as uids or beginnings such as run7-*; by default all.")
    private List<String> tasks;

    @Option(
            names = "--pools",
            paramLabel = "POOL,…",
            split = ",",
            description = "The pools that it may send tasks to, steer, and take jobs from; by default all.")
    private List<String> pools;

    @Option(
            names = "--pilots",
            paramLabel = "ID,…",
            split = ",",
            description = "The pilots that it may be and steer; by default all. Required for the role pilot.")
    private List<String> pilots;

    @Option(
            names = "--groups",
            paramLabel = "GROUP,…",
            split = ",",
            description = "The groups that it may limit and hold, and that items it pushes may have; by default all.")
    private List<String> groups;

    @Option(
            names = "--queues",
            paramLabel = "QUEUE,…",
            split = ",",
            description = "The queues that it may steer, fill, and take items from; by default all.")
    private List<String> queues;

    @Option(
            names = "--kinds",
            paramLabel = "KIND,…",
            split = ",",
            description = "The kinds of items that it may push and take; by default all.")
    private List<String> kinds;

    @Option(
            names = "--best-priority",
            paramLabel = "N",
            description = "The best priority of its pushes, 1 is best. Default: 1 for operators, otherwise 2.")
    private Integer bestPriority;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        if (days < 1 || days > MAX_DAYS) {
            throw wrong("--days must be from 1 to " + MAX_DAYS + ", got " + days);
        }
        if ((config == null) == (file == null)) {
            throw wrong("give --config or --tokens-file, and not both");
        }
        Path tokens = file == null ? Path.of(ConfigFile.read(config).get(GatewaySettings.TOKENS_FILE)) : file;
        String text = Token.random();
        Instant expires = Instant.now().plus(Duration.ofDays(days));
        try {
            Scope scope = new Scope(tasks, pools, pilots, groups, queues, kinds, bestPriority);
            TokenFile.put(tokens, new Token(name, role, Token.hash(text), expires, scope));
        } catch (InvalidMessage e) {
            throw wrong(e.getMessage());
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println(text);
        Output.flush(out);
        spec.commandLine()
                .getErr()
                .println("Token of " + name + ", role " + role.word() + ", valid until " + expires + "; its hash is in "
                        + tokens + ". It is shown only once.");
        spec.commandLine().getErr().flush();
        return 0;
    }

    private ParameterException wrong(String reason) {
        return new ParameterException(spec.commandLine(), reason);
    }
}
