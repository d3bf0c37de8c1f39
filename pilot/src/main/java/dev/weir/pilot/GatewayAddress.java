package dev.weir.pilot;

import dev.weir.pilot.gateway.GatewaySettings;
import dev.weir.protocol.Authorities;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import picocli.CommandLine.Option;

/** Where the gateway is, for pilots without AMQP. */
final class GatewayAddress {

    static final String VARIABLE = "WEIR_TOKEN";
    private static final String CA_VARIABLE = "WEIR_CA_FILE";

    @Option(
            names = "--gateway",
            paramLabel = "URL",
            description =
                    "Reach Weir by HTTP instead of AMQP: the gateway's address, https://host:port. Its token, of role pilot, comes"
                            + " from --token-file, else from the environment variable WEIR_TOKEN.")
    private String url;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description =
                    "A file whose first line is the gateway's token; - is standard input. It is read at the start, and again when the"
                            + " gateway refuses the token, for those that expire and are renewed. Jobs run as the pilot's user: they must not be able to read it.")
    private String tokenFile;

    @Option(
            names = "--ca-file",
            paramLabel = "FILE",
            description =
                    "File with the certificates, in PEM, of the only authorities to trust with the gateway at https:, in place of those"
                            + " that Java trusts; also the environment variable WEIR_CA_FILE.")
    private String authorities = System.getenv(CA_VARIABLE);

    boolean isGiven() {
        return url != null;
    }

    void refuseAlone() {
        if (tokenFile != null) {
            throw new IllegalArgumentException("--token-file is for --gateway, which is not given");
        }
    }

    GatewaySettings settings(List<String> pools, Duration reconnectFor) throws IOException {
        SSLContext trusted = authorities == null ? null : Authorities.only(Path.of(authorities));
        boolean isFile = tokenFile != null && !tokenFile.equals("-");
        return GatewaySettings.of(address(), token(), isFile ? Path.of(tokenFile) : null, pools, reconnectFor, trusted);
    }

    private URI address() {
        try {
            return new URI(url);
        } catch (URISyntaxException e) {
            // Without the cause, which quotes it: somebody may have put the token there.
            throw new IllegalArgumentException("--gateway is not an address such as https://host:port");
        }
    }

    private String token() throws IOException {
        String variable = System.getenv().getOrDefault(VARIABLE, "");
        if (tokenFile != null) {
            return Secrets.firstLine("--token-file", tokenFile, "token", System.in);
        }
        if (variable.isEmpty()) {
            throw new IllegalArgumentException("--gateway needs a token, by --token-file or the environment variable "
                    + VARIABLE + "; ./weir gateway token makes one");
        }
        return variable;
    }
}
