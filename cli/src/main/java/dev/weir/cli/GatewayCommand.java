package dev.weir.cli;

import dev.weir.gateway.Gateway;
import dev.weir.gateway.options.BrokerNames;
import dev.weir.gateway.options.GatewayOptions;
import dev.weir.gateway.options.OpenIdOptions;
import dev.weir.gateway.options.TlsFiles;
import dev.weir.job.ConfigFile;
import dev.weir.job.amqp.Broker;
import dev.weir.job.options.AmqpOptions;
import dev.weir.job.options.GatewaySettings;
import dev.weir.job.options.MirrorOptions;
import dev.weir.job.options.Secrets;
import dev.weir.job.options.Settings;
import dev.weir.protocol.Json;
import io.javalin.util.JavalinException;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.flink.configuration.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./weir gateway}: Weir over HTTP, until interrupted. */
@Command(
        name = "gateway",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        subcommands = GatewayTokenCommand.class,
        description = {
            "Weir over HTTP, until interrupted: reads tasks, jobs and pilots from the database, sends tasks and commands to the broker,"
                    + " and gives jobs to pilots without AMQP.",
            "",
            "Its contract is at /openapi.yaml, with a page to read and try it at /docs. Every request needs a token, which ./weir gateway"
                    + " token makes. Tokens may also stand in the environment, in WEIR_GATEWAY_TOKENS. Several gateways may run, if each"
                    + " pilot reaches the same one."
        },
        footer = {
            "",
            "Example: ./weir gateway token --config flink-conf/weir.yaml --name anna --role operator",
            "         ./weir gateway --config flink-conf/weir.yaml",
            "         curl http://127.0.0.1:8090/task?state=open -H 'Authorization: Bearer TOKEN'"
        })
final class GatewayCommand implements Callable<Integer> {

    /** The environment variable with further tokens. */
    private static final String TOKENS = "WEIR_GATEWAY_TOKENS";

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "File with the settings weir.gateway.*, and the addresses of broker and database; required.")
    private Path config;

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            description = "Address to listen on, in place of weir.gateway.host of the settings.")
    private String host;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "Port to listen on, 0 for a free one, in place of weir.gateway.port of the settings.")
    private Integer port;

    @Option(
            names = "--log-root",
            paramLabel = "ROOT",
            description =
                    "Directory, or beginning of an http or https address, where logs may be read that the gateway shows, in place"
                            + " of weir.gateway.log-roots of the settings; repeatable.")
    private List<String> logRoots;

    @Option(names = "--json", description = "Print the address as one line of JSON instead of text.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (config == null) {
            throw new ParameterException(
                    spec.commandLine(), "--config is required; flink-conf/weir.yaml is an example");
        }
        Configuration settings = ConfigFile.read(config);
        Settings.check(settings);
        GatewayOptions options = options(settings);
        Interruption interruption = Interruption.watch();
        try (Gateway gateway = start(options)) {
            tell(gateway, options);
            interruption.ready();
            interruption.await();
            interruption.stopping();
        }
        return 0;
    }

    private static Gateway start(GatewayOptions options) throws IOException {
        try {
            return Gateway.start(options);
        } catch (JavalinException e) {
            throw new IOException(
                    "the gateway cannot listen on " + options.host() + ":" + options.port() + ": " + e.getMessage(), e);
        }
    }

    private GatewayOptions options(Configuration settings) {
        return new GatewayOptions(
                host == null ? settings.get(GatewaySettings.HOST) : host,
                port == null ? settings.get(GatewaySettings.PORT) : port,
                settings.get(MirrorOptions.URL),
                settings.get(MirrorOptions.USER),
                Secrets.read(settings, MirrorOptions.PASSWORD_FILE, MirrorOptions.PASSWORD),
                Broker.uri(settings),
                new BrokerNames(
                        settings.get(AmqpOptions.SEND_TASKS),
                        settings.get(AmqpOptions.SEND_COMMANDS),
                        settings.get(AmqpOptions.SEND_REPORTS),
                        settings.get(AmqpOptions.EVENTS),
                        settings.get(AmqpOptions.NOTICES),
                        settings.get(AmqpOptions.SEND_QUEUES),
                        settings.get(AmqpOptions.ANSWERS),
                        settings.get(AmqpOptions.JOBS_PREFIX),
                        new BrokerNames.Queues(
                                settings.get(AmqpOptions.REJECTED),
                                settings.get(AmqpOptions.TASKS),
                                settings.get(AmqpOptions.COMMANDS),
                                settings.get(AmqpOptions.REPORTS))),
                Path.of(settings.get(GatewaySettings.TOKENS_FILE)),
                System.getenv().getOrDefault(TOKENS, "").lines().toList(),
                Path.of(settings.get(GatewaySettings.AUDIT_FILE)),
                settings.get(GatewaySettings.REQUESTS_PER_SECOND),
                settings.get(GatewaySettings.MAX_CONNECTIONS),
                settings.get(GatewaySettings.START_WITHIN),
                TlsFiles.of(
                        settings.get(GatewaySettings.TLS_CERTIFICATE_FILE), settings.get(GatewaySettings.TLS_KEY_FILE)),
                openId(settings),
                pathOrNull(settings.get(GatewaySettings.PLACEMENT_FILE)),
                logRoots == null ? settings.get(GatewaySettings.LOG_ROOTS) : logRoots);
    }

    /** Null for none. */
    private static OpenIdOptions openId(Configuration settings) {
        String issuer = settings.get(GatewaySettings.OIDC_ISSUER);
        if (issuer == null) {
            return null;
        }
        return new OpenIdOptions(
                URI.create(issuer),
                settings.get(GatewaySettings.OIDC_AUDIENCE),
                settings.get(GatewaySettings.OIDC_NAME_CLAIM),
                settings.get(GatewaySettings.OIDC_ROLE_CLAIM),
                settings.get(GatewaySettings.OIDC_ROLES),
                new OpenIdOptions.ScopeClaims(
                        settings.get(GatewaySettings.OIDC_PILOTS_CLAIM),
                        settings.get(GatewaySettings.OIDC_POOLS_CLAIM),
                        settings.get(GatewaySettings.OIDC_QUEUES_CLAIM),
                        settings.get(GatewaySettings.OIDC_KINDS_CLAIM)),
                pathOrNull(settings.get(GatewaySettings.OIDC_CA_FILE)));
    }

    private static Path pathOrNull(String text) {
        return text == null ? null : Path.of(text);
    }

    private void tell(Gateway gateway, GatewayOptions options) {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(new String(Json.write(Map.of("gateway", gateway.url().toString())), StandardCharsets.UTF_8));
        } else {
            out.println("The gateway answers at " + gateway.url() + ", its page is " + gateway.url()
                    + "/docs. Stop it with Ctrl-C.");
            if (!Files.exists(options.tokens())) {
                out.println("There are no tokens yet in " + options.tokens()
                        + "; make one with ./weir gateway token --config " + config
                        + " --name NAME --role ROLE. It need not be started again.");
            }
        }
        out.flush();
    }
}
