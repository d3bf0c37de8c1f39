package dev.weir.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The help of {@code ./weir test}; the script itself runs the tests with Maven. */
@Command(
        name = "test",
        mixinStandardHelpOptions = true,
        description = {
            "Builds Weir and runs all tests with Maven (./mvnw).",
            "",
            "Tests with a broker or a database use RabbitMQ and PostgreSQL at WEIR_AMQP_URL and WEIR_PG_URL, or on"
                    + " their default local ports, and otherwise embedded services."
                    + " With WEIR_REQUIRE_SERVICES=1 they fail if RabbitMQ or PostgreSQL is missing."
        },
        footer = {"", "Example, the tests of one module: ./weir test -pl scheduler -am"})
final class TestCommand implements Callable<Integer> {

    @Parameters(arity = "0..*", paramLabel = "ARGUMENT", description = "Passed to Maven.")
    private String[] arguments;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "Tests are run by the script ./weir, from a source tree.");
    }
}
