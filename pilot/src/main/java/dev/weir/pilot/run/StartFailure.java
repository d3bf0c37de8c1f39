package dev.weir.pilot.run;

import java.io.IOException;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whose fault it is that a program does not start: its own, or that of a node without memory, processes or open files, or with a disk
 * that fails. Java has one exception for all of them, so the system's error number in its message decides.
 */
final class StartFailure {

    /**
     * It may not be executed (EACCES); it, or its interpreter, does not exist (ENOENT, ENOTDIR, ELOOP) or is a directory (EISDIR); its format is
     * wrong (ENOEXEC); its arguments are too long (E2BIG).
     */
    private static final Set<Integer> OF_PROGRAM = Set.of(2, 7, 8, 13, 20, 21, 40);

    /** The second form is that of newer Java versions, which say whether the program or its start had the error. */
    private static final Pattern NUMBER = Pattern.compile("^(?:error=|Exec failed, error: )(\\d+)");

    private StartFailure() {}

    /** Whether no node could start it; else this node is to blame, also when nothing is known. */
    static boolean isOfProgram(IOException failure) {
        // Its own message begins with the names of program and directory, which may look like anything.
        Throwable cause = failure.getCause();
        Matcher number = NUMBER.matcher(cause == null || cause.getMessage() == null ? "" : cause.getMessage());
        return number.find() && OF_PROGRAM.contains(Integer.valueOf(number.group(1)));
    }
}
