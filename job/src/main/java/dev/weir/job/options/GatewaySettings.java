package dev.weir.job.options;

import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** The gateway, {@code ./weir gateway}. The jobs do not read these; it reads the addresses of broker and database, too. */
public final class GatewaySettings {

    public static final ConfigOption<String> HOST = ConfigOptions.key("weir.gateway.host")
            .stringType()
            .defaultValue("127.0.0.1")
            .withDescription(
                    "Address that the gateway listens on. For other machines than this one give it a certificate, or put a"
                            + " proxy with TLS before it.");

    public static final ConfigOption<Integer> PORT = ConfigOptions.key("weir.gateway.port")
            .intType()
            .defaultValue(8090)
            .withDescription("Port that the gateway listens on; 0 takes a free one.");

    public static final ConfigOption<String> TOKENS_FILE = ConfigOptions.key("weir.gateway.tokens-file")
            .stringType()
            .defaultValue("data/gateway/tokens")
            .withDescription(
                    "File with the hashes, roles, expiries and scopes of the tokens; ./weir gateway token adds one. Changes"
                            + " count within a second.");

    public static final ConfigOption<String> AUDIT_FILE = ConfigOptions.key("weir.gateway.audit-file")
            .stringType()
            .defaultValue("data/gateway/audit.jsonl")
            .withDescription(
                    "File to which every change is added, a line of JSON for each step. If it cannot be written, changes are"
                            + " refused.");

    public static final ConfigOption<Integer> REQUESTS_PER_SECOND = ConfigOptions.key(
                    "weir.gateway.requests-per-second")
            .intType()
            .defaultValue(1000)
            .withDescription(
                    "Maximum number of requests per second with one token; addresses without a valid token have a twentieth.");

    public static final ConfigOption<Integer> MAX_CONNECTIONS = ConfigOptions.key("weir.gateway.max-connections")
            .intType()
            .defaultValue(2000)
            .withDescription(
                    "Maximum number of open connections; when they are in use, silent ones are closed and further ones wait.");

    public static final ConfigOption<Duration> START_WITHIN = ConfigOptions.key("weir.gateway.start-within")
            .durationType()
            .defaultValue(Duration.ofSeconds(30))
            .withDescription(
                    "A job that a pilot without AMQP took goes back to its queue when the pilot does not report it within this"
                            + " time, at most 10 min.");

    public static final ConfigOption<String> TLS_CERTIFICATE_FILE = ConfigOptions.key(
                    "weir.gateway.tls-certificate-file")
            .stringType()
            .noDefaultValue()
            .withDescription(
                    "File with the gateway's certificate, then those that lead to its certification authority, in PEM. With it"
                            + " the port speaks HTTPS only. Changes count within a second.");

    public static final ConfigOption<String> TLS_KEY_FILE = ConfigOptions.key("weir.gateway.tls-key-file")
            .stringType()
            .noDefaultValue()
            .withDescription("File with the certificate's private key in PEM, not encrypted.");

    public static final ConfigOption<String> OIDC_ISSUER = ConfigOptions.key("weir.gateway.oidc-issuer")
            .stringType()
            .noDefaultValue()
            .withDescription(
                    "Address of an OpenID provider, as in its discovery document. Its signed tokens are then valid beside those of"
                            + " tokens-file.");

    public static final ConfigOption<String> OIDC_AUDIENCE = ConfigOptions.key("weir.gateway.oidc-audience")
            .stringType()
            .noDefaultValue()
            .withDescription(
                    "Audience that a token of the provider must name in its claim aud; required with oidc-issuer.");

    public static final ConfigOption<String> OIDC_NAME_CLAIM = ConfigOptions.key("weir.gateway.oidc-name-claim")
            .stringType()
            .defaultValue("sub")
            .withDescription(
                    "Claim that names the caller in commands and in the audit log, where oidc/ stands before it. Take one that no user"
                            + " can choose or hand on.");

    public static final ConfigOption<String> OIDC_ROLE_CLAIM = ConfigOptions.key("weir.gateway.oidc-role-claim")
            .stringType()
            .defaultValue("weir_role")
            .withDescription(
                    "Claim with the caller's roles or groups, a string or a list. A name with dots also leads into objects:"
                            + " realm_access.roles.");

    public static final ConfigOption<List<String>> OIDC_ROLES = ConfigOptions.key("weir.gateway.oidc-roles")
            .stringType()
            .asList()
            .defaultValues(
                    "operator=operator",
                    "wfms=wfms",
                    "pilot=pilot",
                    "worker=worker",
                    "feeder=feeder",
                    "ranker=ranker",
                    "viewer=viewer")
            .withDescription(
                    "What values of the role claim mean, each VALUE=ROLE with the roles operator, wfms, pilot, worker, feeder,"
                            + " ranker and viewer; the first that a token has counts.");

    public static final ConfigOption<String> OIDC_PILOTS_CLAIM = ConfigOptions.key("weir.gateway.oidc-pilots-claim")
            .stringType()
            .defaultValue("weir_pilots")
            .withDescription(
                    "Claim with the ids of pilots in the scope, a list of names or of beginnings that end with *. A pilot's token must"
                            + " have it.");

    public static final ConfigOption<String> OIDC_POOLS_CLAIM = ConfigOptions.key("weir.gateway.oidc-pools-claim")
            .stringType()
            .defaultValue("weir_pools")
            .withDescription(
                    "Claim with the pools in the scope, as oidc-pilots-claim; a token without it may use all.");

    public static final ConfigOption<String> OIDC_QUEUES_CLAIM = ConfigOptions.key("weir.gateway.oidc-queues-claim")
            .stringType()
            .defaultValue("weir_queues")
            .withDescription(
                    "Claim with the queues of items in the scope, as oidc-pilots-claim; a token without it may use all.");

    public static final ConfigOption<String> OIDC_KINDS_CLAIM = ConfigOptions.key("weir.gateway.oidc-kinds-claim")
            .stringType()
            .defaultValue("weir_kinds")
            .withDescription(
                    "Claim with the kinds of items in the scope, as oidc-pilots-claim; a token without it may use all.");

    public static final ConfigOption<String> OIDC_CA_FILE = ConfigOptions.key("weir.gateway.oidc-ca-file")
            .stringType()
            .noDefaultValue()
            .withDescription(
                    "File with the certificates, in PEM, of the only authorities to trust with the provider's address, in place of those"
                            + " that Java trusts. It is read at the start.");

    public static final ConfigOption<String> PLACEMENT_FILE = ConfigOptions.key("weir.gateway.placement-file")
            .stringType()
            .noDefaultValue()
            .withDescription(
                    "The status.json that ./weir place writes, for the page about placement. Changes count at once.");

    public static final ConfigOption<List<String>> LOG_ROOTS = ConfigOptions.key("weir.gateway.log-roots")
            .stringType()
            .asList()
            .defaultValues()
            .withDescription(
                    "Where logs may be read that the gateway shows: absolute directories, and beginnings of http and https addresses"
                            + " that need no password. Without one it shows where a log is, and not what is in it.");

    private GatewaySettings() {}
}
