package dev.weir.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints what is wrong with a command line, similar words if there are any, and where the help is: the whole help would hide the reason. */
final class UsageMessage implements IParameterExceptionHandler {

    @Override
    public int handleParseException(ParameterException failure, String[] args) {
        CommandLine command = failure.getCommandLine();
        String name = command.getCommandSpec().qualifiedName(" ");
        PrintWriter err = command.getErr();
        err.println(name + ": " + failure.getMessage());
        if (!UnmatchedArgumentException.printSuggestions(failure, err)) {
            err.println("./" + name + " --help explains the command");
        }
        err.flush();
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }
}
