package dev.weir.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Help for {@code ./weir test}, which the script itself does: it needs Maven and no program of ours. */
@Command(
        name = "test",
        mixinStandardHelpOptions = true,
        description = {
            "Builds Weir and runs all its tests, with the Maven that ./mvnw brings.",
            "",
            "Tests that need a broker or a database use RabbitMQ and PostgreSQL where WEIR_AMQP_URL and WEIR_PG_URL say, or on"
                    + " their standard ports of this machine, and embedded ones where there are none."
                    + " WEIR_REQUIRE_SERVICES=1 makes their absence a failure."
        },
        footer = {"", "Example, the tests of one module: ./weir test -pl scheduler -am"})
final class TestCommand implements Callable<Integer> {

    @Parameters(arity = "0..*", paramLabel = "ARGUMENT", description = "Given on to Maven.")
    private String[] arguments;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "Tests are run by the script ./weir, from a source tree.");
    }
}
