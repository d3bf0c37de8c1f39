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
 * many arguments as there are inputs; inside a longer word they are joined by blanks. Other braces stay as they are.
 */
final class Placeholders {

    private static final Pattern KNOWN =
            Pattern.compile("\\{(file_in|file_out|file_log|file_in_list|job_uid|task_uid|attempt)}");
    private static final String FILE_IN = "{file_in}";

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

    List<String> fill(List<String> words) {
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
}
