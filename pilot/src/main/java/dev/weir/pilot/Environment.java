package dev.weir.pilot;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What other processes of this user, such as the programs of jobs, can read of a process's environment. Linux shows the memory that
 * a process was started with, so clearing a variable there means to write over that memory. {@link System#getenv} is a copy
 * and keeps all values.
 */
final class Environment {

    private static final Path PROC = Path.of("/proc");
    /** All of Weir's own, but for the mark by which another pilot finds a process of its jobs, which this one may be. */
    private static final Pattern HIDDEN = Pattern.compile("WEIR_(?!RUN=)[^=]*=", Pattern.DOTALL);

    /** Behind the name in a process's stat: the first and the last byte of its environment. */
    private static final int STAT_BEGIN = 47;

    private static final int STAT_END = 48;

    private Environment() {}

    /**
     * Writes over the values of all variables whose names begin with {@code WEIR_}.
     *
     * @throws IOException when this system does not let it
     */
    static void hideOwn() throws IOException {
        System.getenv();
        String stat = Files.readString(PROC.resolve("self/stat"), StandardCharsets.ISO_8859_1);
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).strip().split(" ");
        long begin = Long.parseLong(fields[STAT_BEGIN]);
        byte[] block = new byte[(int) (Long.parseLong(fields[STAT_END]) - begin)];
        try (RandomAccessFile memory = new RandomAccessFile("/proc/self/mem", "rw")) {
            memory.seek(begin);
            memory.readFully(block);
            int at = 0;
            for (String variable : variables(block)) {
                int value = valueOfHidden(variable);
                if (value > 0) {
                    memory.seek(begin + at + value);
                    memory.write("*".repeat(variable.length() - value).getBytes(StandardCharsets.ISO_8859_1));
                }
                at += variable.length() + 1;
            }
        }
        for (String variable : of(PROC.resolve("self"))) {
            int value = valueOfHidden(variable);
            if (value > 0 && !variable.substring(value).matches("\\**")) {
                throw new IOException("the environment shows its values still");
            }
        }
    }

    /** Where the value of a variable begins; 0 when it stays. */
    private static int valueOfHidden(String variable) {
        Matcher found = HIDDEN.matcher(variable);
        return found.lookingAt() ? found.end() : 0;
    }

    /** Other processes whose environment shows a text to this user. */
    static List<Long> showing(String secret) {
        List<Long> found = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : processes) {
                if (shows(process, secret)) {
                    found.add(Long.parseLong(process.getFileName().toString()));
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return found; // No /proc: nothing can be said.
        }
        return found;
    }

    private static boolean shows(Path process, String secret) {
        try {
            return of(process).stream().anyMatch(variable -> variable.contains(secret));
        } catch (IOException e) {
            return false; // another user's, or gone
        }
    }

    private static List<String> of(Path process) throws IOException {
        return variables(Files.readAllBytes(process.resolve("environ")));
    }

    private static List<String> variables(byte[] block) {
        return List.of(new String(block, StandardCharsets.ISO_8859_1).split("\0", -1));
    }
}
