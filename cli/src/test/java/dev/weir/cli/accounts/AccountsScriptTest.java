package dev.weir.cli.accounts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.protocol.Names;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the script refuses, an account without a password or with more rights than its role, and the policy that it prints. */
class AccountsScriptTest {

    @TempDir
    Path directory;

    private void assertThatItRefuses(String reason, Map<String, String> environment, String... arguments)
            throws Exception {
        AccountsScript run = AccountsScript.run(directory, environment, arguments);
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.output()).isEmpty();
        assertThat(run.errors()).contains(reason);
    }

    @Test
    void anAccountWithoutAPasswordIsNotMade() throws Exception {
        assertThatItRefuses("pilot has no password", Map.of("PILOT_USER", "pilot"));
        Path empty = Files.createFile(directory.resolve("empty"));
        assertThatItRefuses(
                "pilot has no password",
                Map.of("PILOT_USER", "pilot", "PILOT_PASSWORD_FILE", empty.toString(), "PILOT_PASSWORD", "other"));
        assertThatItRefuses("cannot read", Map.of("PILOT_USER", "pilot", "PILOT_PASSWORD_FILE", "none"));
        assertThatItRefuses("no account is named", Map.of());
    }

    @Test
    void noAccountGetsTheRightsOfTwoRoles() throws Exception {
        assertThatItRefuses(
                "a is the name of two accounts",
                Map.of("PILOT_USER", "a", "PILOT_PASSWORD", "x", "OPERATOR_USER", "a", "OPERATOR_PASSWORD", "x"));
        assertThatItRefuses("must not be weir", Map.of("WFMS_USER", "weir", "WFMS_PASSWORD", "x"));
    }

    @Test
    void namesThatWouldBeExpressionsAreRefused() throws Exception {
        assertThatItRefuses("WFMS_USER may have only", Map.of("WFMS_USER", ".*", "WFMS_PASSWORD", "x"));
        assertThatItRefuses(
                "PILOT_POOLS are names",
                Map.of("PILOT_USER", "pilot", "PILOT_PASSWORD", "x", "PILOT_POOLS", "cpu)|.*"));
        assertThatItRefuses("virtual host", Map.of("DSM_USER", "dsm", "DSM_PASSWORD", "x"), "a\"b");
    }

    @Test
    void theNameOfAPoolStaysAsItIsAndAWfmsHasQueuesOfItsOwnName() throws Exception {
        AccountsScript run = AccountsScript.run(
                directory,
                Map.of(
                        "PILOT_USER", "pilot",
                        "PILOT_PASSWORD", "x",
                        "PILOT_POOLS", "OWN,TOWN.b",
                        "WFMS_USER", "flows",
                        "WFMS_PASSWORD", "x"));
        JsonNode permissions = new ObjectMapper().readTree(run.output()).path("permissions");

        assertThat(permissions.at("/0/configure").asText()).isEqualTo("^(flows\\..*|amq\\.gen-.*)$");
        assertThat(permissions.at("/1/read").asText()).contains("weir\\.jobs\\.(OWN|TOWN\\.b)|");
    }

    @Test
    void noPasswordIsInTheOutput() throws Exception {
        AccountsScript run =
                AccountsScript.run(directory, Map.of("DSM_USER", "dsm", "DSM_PASSWORD", "nobody-shall-see"));

        assertThat(run.exitCode()).isZero();
        assertThat(run.output()).contains("password_hash").doesNotContain("nobody-shall-see");
    }

    @Test
    void thePolicyIsForAllQueuesOfWeirAndDsmAndForNoOthers() throws Exception {
        AccountsScript run = AccountsScript.run(directory, Map.of("DSM_USER", "dsm", "DSM_PASSWORD", "x"), "site/b");
        JsonNode policy = new ObjectMapper().readTree(run.output()).at("/policies/0");

        assertThat(policy.path("vhost").asText()).isEqualTo("site/b");
        assertThat(policy.at("/definition/delivery-limit").asLong()).isEqualTo(1_000_000_000);
        // RabbitMQ looks for the pattern anywhere in a name.
        assertThat(List.of(
                        Names.TASKS,
                        Names.MIRROR,
                        Names.REJECTED,
                        Names.ASKS,
                        Names.DSM_REGISTER,
                        Names.jobs(Names.CPU_POOL)))
                .allMatch(name -> Pattern.compile(policy.path("pattern").asText())
                        .matcher(name)
                        .find());
        assertThat(List.of("flows.events", "flows.weir.x", "amq.gen-x", "dsm.register.of-another"))
                .noneMatch(name -> Pattern.compile(policy.path("pattern").asText())
                        .matcher(name)
                        .find());
    }
}
