package dev.weir.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * The commands of {@code tools/}. They are found by the name of their class, so that nothing that production runs depends on them.
 * Where their jars are not on the class path, as in an image, the command says so and fails.
 */
final class DeveloperCommands {

    private static final List<Tool> TOOLS = List.of(
            new Tool(
                    "sim",
                    "dev.weir.tools.SimCommand",
                    "Runs the scheduling core in a simulated world full of faults."),
            new Tool("bench", "dev.weir.bench.BenchCommand", "Measures Weir and compares with its goals."),
            new Tool("chaos", "dev.weir.chaos.ChaosCommand", "Runs Weir's processes under load and random faults."));

    private DeveloperCommands() {}

    private record Tool(String name, String type, String description) {

        CommandLine command() {
            try {
                return new CommandLine(Class.forName(type));
            } catch (ClassNotFoundException notInstalled) {
                return missing();
            }
        }

        /** Takes any arguments, {@code --help} among them: their meaning is not known here. */
        private CommandLine missing() {
            CommandSpec spec = CommandSpec.wrapWithoutInspection((Runnable) () -> {
                throw new IllegalStateException(
                        "needs the developer tools, which an image does not contain; run ./weir " + name
                                + " in a checkout");
            });
            spec.usageMessage().description(description + " Only in a checkout.");
            spec.parser().unmatchedOptionsArePositionalParams(true);
            spec.addPositional(PositionalParamSpec.builder()
                    .index("0..*")
                    .arity("0..*")
                    .type(String[].class)
                    .hidden(true)
                    .build());
            return new CommandLine(spec);
        }
    }

    /** Adds all of them to the given command line, and returns it. */
    static CommandLine addTo(CommandLine weir) {
        TOOLS.forEach(tool -> weir.addSubcommand(tool.name(), tool.command()));
        return weir;
    }
}
