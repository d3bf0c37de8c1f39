package dev.weir.pilot.run;

import dev.weir.protocol.Job;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Fills {@code {file_in} {file_out} {file_log} {file_in_list} {job_uid} {task_uid} {attempt}} into the words of a command line.
 * Words are split before, so a name with blanks or quotes stays one argument. A word that is {@code {file_in}} alone becomes as
 * many arguments as there are inputs; inside a longer word they are joined by blanks. Other braces stay as they are. A few words
 * that name thousands of inputs again and again would fill any memory, so the length is known before anything is built.
 */
final class Placeholders {

    private static final Pattern KNOWN =
            Pattern.compile("\\{(file_in|file_out|file_log|file_in_list|job_uid|task_uid|attempt)}");
    private static final String FILE_IN = "{file_in}";

    /** No Linux with usual limits starts a program with more. */
    static final long MAX_CHARACTERS = 2L << 20;

    private final List<String> inputs;
    private final Map<String, String> values;

    Placeholders(Job job, List<Path> inputs, Path inputList, Path output, Path log) {
        this.inputs = inputs.stream().map(Path::toString).toList();
        this.values = Map.of(
                "file_in", String.join(" ", this.inputs),
                "file_in_list", inputList.toString(),
                "file_out", output.toString(),
                "file_log", log.toString(),
                "job_uid", job.uid(),
                "task_uid", job.taskUid(),
                "attempt", String.valueOf(job.attempt()));
    }

    /** Whether some word names the placeholder, written without braces. */
    static boolean mention(List<String> words, String name) {
        return words.stream().anyMatch(word -> word.contains("{" + name + "}"));
    }

    /** @throws IllegalArgumentException when the words would become too long */
    List<String> fill(List<String> words) {
        long length = words.stream().mapToLong(this::lengthOf).sum();
        if (length > MAX_CHARACTERS) {
            throw new IllegalArgumentException("the command line would have " + length + " characters, more than the "
                    + MAX_CHARACTERS + " that a program can be given; {file_in_list} names a file with all inputs");
        }
        List<String> filled = new ArrayList<>();
        for (String word : words) {
            if (word.equals(FILE_IN)) {
                filled.addAll(inputs);
            } else {
                filled.add(KNOWN.matcher(word).replaceAll(m -> Matcher.quoteReplacement(values.get(m.group(1)))));
            }
        }
        return filled;
    }

    /** Of what one word becomes, with one more for the end of each argument. */
    private long lengthOf(String word) {
        if (word.equals(FILE_IN)) {
            return values.get("file_in").length() + 1L;
        }
        long length = word.length() + 1L;
        for (Matcher found = KNOWN.matcher(word); found.find(); ) {
            length += values.get(found.group(1)).length() - found.group().length();
        }
        return length;
    }
}
