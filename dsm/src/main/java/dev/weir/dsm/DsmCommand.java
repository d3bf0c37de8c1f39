package dev.weir.dsm;

import dev.weir.dsm.catalogue.DatasetConflict;
import dev.weir.dsm.catalogue.DatasetStatus;
import dev.weir.dsm.register.RegisterOptions;
import dev.weir.protocol.Json;
import dev.weir.protocol.Names;
import dev.weir.protocol.Urls;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./weir dsm}: the reference DSM, until interrupted. */
@Command(
        name = "dsm",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "The reference DSM: serves datasets over HTTP and takes registrations of outputs, until interrupted.",
            "",
            "Its catalogue is in PostgreSQL (the database must exist). Requests are unauthenticated: keep it on a trusted network."
        },
        footer = {
            "",
            "Example: ./weir dsm --dataset run7=/data/run7 --storage tape=https://tape/spd",
            "Then:    curl 'http://127.0.0.1:8070/dataset/run7?offset=0&limit=10'"
        })
public final class DsmCommand implements Callable<Integer> {

    private static final String ERASE_LINE = "\r\033[K";

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description = "Address to listen on; ${DEFAULT-VALUE} by default.")
    private String host;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "8070",
            description = "Port to listen on, 0 for a free one; ${DEFAULT-VALUE} by default.")
    private int port;

    @Option(
            names = "--postgres-url",
            paramLabel = "URL",
            defaultValue = "${env:WEIR_PG_URL:-jdbc:postgresql://127.0.0.1:5432/weir}",
            description = "The catalogue's database as a JDBC URL; WEIR_PG_URL, else this machine's database weir.")
    private String postgresUrl;

    @Option(
            names = "--postgres-user",
            paramLabel = "NAME",
            defaultValue = "${env:WEIR_PG_USER:-postgres}",
            description = "The database user, who may create tables; WEIR_PG_USER, else postgres.")
    private String postgresUser;

    @Option(
            names = "--postgres-password-env",
            paramLabel = "NAME",
            defaultValue = "WEIR_PG_PASSWORD",
            description = "The environment variable that holds the database password; ${DEFAULT-VALUE} by default.")
    private String postgresPasswordEnv;

    @Option(
            names = {"--amqp", "--amqp-url"},
            paramLabel = "URL",
            defaultValue = "${env:WEIR_AMQP_URL:-amqp://guest:guest@127.0.0.1:5672}",
            description = "The broker; WEIR_AMQP_URL, else RabbitMQ on this machine.")
    private String amqpUrl;

    @Option(names = "--no-registrations", description = "Only serve: take no registrations, use no broker.")
    private boolean noRegistrations;

    @Option(
            names = "--queue",
            paramLabel = "NAME",
            defaultValue = Names.DSM_REGISTER,
            description = "Queue that registrations come from; ${DEFAULT-VALUE} by default.")
    private String queue;

    @Option(
            names = "--rejected-queue",
            paramLabel = "NAME",
            defaultValue = Names.REJECTED,
            description = "Queue for messages that are rejected; ${DEFAULT-VALUE} by default.")
    private String rejectedQueue;

    @Option(
            names = "--rejected-exchange",
            paramLabel = "NAME",
            defaultValue = Names.SEND_REJECTED,
            description = "Exchange that leads to that queue, with the key rejected; ${DEFAULT-VALUE} by default.")
    private String rejectedExchange;

    @Option(
            names = "--prefetch",
            paramLabel = "N",
            defaultValue = "2000",
            description = "Most unacknowledged messages, 1 to 65535; ${DEFAULT-VALUE} by default.")
    private int prefetch;

    @Option(
            names = "--batch",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Most registrations in one transaction, from 1; ${DEFAULT-VALUE} by default.")
    private int batch;

    @Option(
            names = "--stalled-after",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description =
                    "How long registrations may stand still before GET /health answers 503; ${DEFAULT-VALUE} by default.")
    private int stalledAfter;

    @Option(
            names = "--dataset",
            paramLabel = "UID=DIR",
            description =
                    "Makes a dataset of all files below a directory. May be repeated; existing datasets are left as they are.")
    private Map<String, Path> datasets = new LinkedHashMap<>();

    @Option(
            names = "--storage",
            paramLabel = "ID=URL",
            description = "A storage that tasks and registrations name by an id. May be repeated.")
    private Map<String, String> storages = new LinkedHashMap<>();

    @Option(
            names = "--allow",
            paramLabel = "DIR",
            description = "Lets POST /dataset register directories below this one. May be repeated; none by default.")
    private List<Path> allowed = List.of();

    @Option(names = "--no-checksums", description = "Register directories without reading all files for their SHA-256.")
    private boolean noChecksums;

    @Option(names = "--json", description = "Print the addresses as one line of JSON instead of text.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    /** Runs until the process gets a signal to stop. */
    @Override
    public Integer call() throws IOException, SQLException, InterruptedException {
        check();
        RegisterOptions register = noRegistrations
                ? null
                : RegisterOptions.at(amqpUrl)
                        .withNames(queue, rejectedQueue, rejectedExchange)
                        .withSizes(prefetch, batch)
                        .withStalledAfter(Duration.ofSeconds(stalledAfter));
        String given = System.getenv(postgresPasswordEnv);
        String jdbcUrl = postgresUrl.startsWith("jdbc:") ? postgresUrl : "jdbc:" + postgresUrl;
        DsmOptions options = new DsmOptions(
                host, port, jdbcUrl, postgresUser, given == null ? "" : given, register, allowed, !noChecksums);
        CountDownLatch stopped = new CountDownLatch(1);
        DsmServer server = DsmServer.start(options, storages);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            server.close();
                            stopped.countDown();
                        },
                        "dsm-stop"));
        for (Map.Entry<String, Path> dataset : datasets.entrySet()) {
            register(server, dataset.getKey(), dataset.getValue());
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println(
                json
                        ? new String(
                                Json.write(Map.of("dsm", server.url().toString())),
                                java.nio.charset.StandardCharsets.UTF_8)
                        : "DSM answers at " + server.url() + ". Stop it with Ctrl-C.");
        out.flush();
        stopped.await();
        return 0;
    }

    private void check() {
        if (port < 0 || port > 65535) {
            throw new ParameterException(spec.commandLine(), "--port must be from 0 to 65535, got " + port);
        }
        if (stalledAfter < 1) {
            throw new ParameterException(spec.commandLine(), "--stalled-after must be at least 1, got " + stalledAfter);
        }
        storages.forEach((id, url) -> {
            if (!Urls.isStorage(url)) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--storage " + id + " must have a URL such as file:///data or https://host/path, got '" + url
                                + "'");
            }
        });
    }

    private void register(DsmServer server, String uid, Path directory) throws IOException, SQLException {
        PrintWriter err = spec.commandLine().getErr();
        boolean terminal = System.console() != null && !json;
        try {
            server.addDirectory(uid, directory, (files, ofFiles, bytes) -> {
                if (terminal) {
                    err.printf("\rdataset %s: %,d of %,d files, %,d MB read", uid, files, ofFiles, bytes / 1_000_000);
                    // Other output goes to this terminal too: the progress line disappears when it is complete.
                    err.print(files == ofFiles ? ERASE_LINE : "");
                    err.flush();
                }
            });
        } catch (DatasetConflict | IOException e) {
            if (server.status(uid).isEmpty()) {
                throw e;
            }
            // All else must go on.
            err.printf("dataset %s stays as it is in the catalogue, and %s is left alone: %s%n", uid, directory, e);
            err.flush();
            return;
        }
        if (!json) {
            DatasetStatus status = server.status(uid).orElseThrow();
            err.printf("dataset %s: %,d files of %s%n", uid, status.files(), directory);
            err.flush();
        }
    }
}
