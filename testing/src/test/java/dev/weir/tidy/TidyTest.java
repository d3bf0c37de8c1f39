package dev.weir.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.tidy.Project.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Each failure lists all offences as {@code path:line: text}. */
class TidyTest {

    private static final int MAX_LINES = 400;

    private static final String[] TEXT = {
        ".java",
        ".xml",
        ".md",
        ".json",
        ".yaml",
        ".yml",
        ".sql",
        ".properties",
        ".sh",
        ".html",
        ".css",
        ".js",
        "weir",
        "run",
        "Dockerfile",
        "flink-process",
        ".env",
        ".editorconfig",
        ".gitignore",
        ".dockerignore"
    };

    /**
     * Reviewed. Pauses between attempts at something in another process, which cannot notify when it is ready; each loop has an
     * end, and an interrupt ends it at once (in ProcessTree afterwards, so that no process is left behind). ChildJvmTest contains a
     * program that hangs.
     */
    private static final Set<String> MAY_SLEEP = Set.of(
            "pilot/src/main/java/dev/weir/pilot/broker/BrokerLink.java",
            "pilot/src/main/java/dev/weir/pilot/gateway/Pause.java",
            "job/src/main/java/dev/weir/job/amqp/OneWeir.java",
            "job/src/main/java/dev/weir/job/mirror/Database.java",
            "sql/src/main/java/dev/weir/sql/Reachable.java",
            "pilot/src/main/java/dev/weir/pilot/run/Transfers.java",
            "pilot/src/main/java/dev/weir/pilot/run/ProcessTree.java",
            "cli/src/main/java/dev/weir/cli/demo/Audit.java",
            "cli/src/main/java/dev/weir/cli/client/Asking.java",
            "cli/src/main/java/dev/weir/cli/client/Feed.java",
            "cli/src/main/java/dev/weir/cli/client/WorkerSlot.java",
            "cli/src/main/java/dev/weir/cli/cluster/Pause.java",
            "bench/src/main/java/dev/weir/bench/queue/DbScheduler.java",
            "bench/src/main/java/dev/weir/bench/queue/SkipLocked.java",
            "bench/src/main/java/dev/weir/bench/queue/WeirQueues.java",
            "bench/src/test/java/dev/weir/bench/ChildJvmTest.java");

    /** Reviewed: programs whose output on the terminal is their purpose. */
    private static final List<String> MAY_PRINT = List.of(
            "testing/src/main/",
            "cli/src/main/",
            "bench/src/main/",
            "pilot/src/main/",
            "dsm/src/main/java/dev/weir/dsm/DsmCommand.java");

    @Test
    void noSourceFileIsLongerThanTheLimit() {
        assertThat(Project.files(".java", ".sql", ".sh", ".js", ".css").stream()
                        .filter(file -> file.lines().size() > MAX_LINES)
                        .map(file -> file.path() + ": " + file.lines().size() + " lines"))
                .isEmpty();
    }

    @Test
    void thereAreNoNotesAboutUnfinishedWork() {
        // In two parts, so that this file does not match.
        Pattern later = Pattern.compile("\\b(" + "TO" + "DO|" + "FIX" + "ME|" + "XX" + "X)\\b");
        assertThat(lines(Project.files(TEXT), file -> true, later)).isEmpty();
    }

    @Test
    void noTestIsSwitchedOff() {
        Pattern off = Pattern.compile("@" + "Disabled\\b|@" + "Ignore\\b");
        assertThat(lines(java(), Source::isTest, off)).isEmpty();
    }

    @Test
    void onlyReviewedFilesSleep() {
        Pattern sleep = Pattern.compile("\\bThread\\." + "sleep\\(|TimeUnit\\.[A-Z]+\\." + "sleep\\(");
        assertThat(lines(java(), file -> !MAY_SLEEP.contains(file.path()), sleep))
                .isEmpty();
    }

    @Test
    void onlyCommandsWriteToTheTerminal() {
        Pattern print = Pattern.compile("\\bSystem\\." + "(out|err)\\b|\\.print" + "StackTrace\\(\\)");
        assertThat(lines(
                        java(),
                        file -> file.path().contains("/src/main/")
                                && MAY_PRINT.stream().noneMatch(file.path()::startsWith),
                        print))
                .isEmpty();
    }

    @Test
    void noExceptionIsIgnoredWithoutAComment() {
        // A comment inside the block gives the reason.
        Pattern empty = Pattern.compile("catch \\([^)]*\\) \\{\\s*\\}");
        assertThat(java().stream()
                        .filter(file -> empty.matcher(file.text()).find())
                        .map(Source::path))
                .isEmpty();
    }

    @Test
    void everyPackageHasADescription() {
        Set<String> packages = new TreeSet<>();
        Set<String> explained = new TreeSet<>();
        for (Source file : java()) {
            String folder = file.path().substring(0, file.path().lastIndexOf('/'));
            if (!file.isTest()) {
                packages.add(folder);
            }
            if (file.name().equals("package-info.java")
                    && file.text().matches("(?s)\\s*/\\*\\*.*\\w.*\\.\\s*(<.*)?\\*/.*")) {
                explained.add(folder);
            }
        }
        packages.removeAll(explained);
        assertThat(packages)
                .as("packages without a package-info.java that has a sentence")
                .isEmpty();
    }

    @Test
    void noClassHasAVagueName() {
        Pattern vague = Pattern.compile("(Manager|Helper|Helpers|Util|Utils)\\.java$");
        assertThat(java().stream()
                        .map(Source::path)
                        .filter(path -> vague.matcher(path).find()))
                .isEmpty();
    }

    @Test
    void thereAreNoTabsAndEveryFileEndsWithALineBreak() {
        List<String> offences = new ArrayList<>(lines(Project.files(TEXT), file -> true, Pattern.compile("\t")));
        for (Source file : Project.files(TEXT)) {
            if (!file.text().isEmpty() && !file.text().endsWith("\n")) {
                offences.add(file.path() + ": no line break at its end");
            }
        }
        assertThat(offences).isEmpty();
    }

    private static List<Source> java() {
        return Project.files(".java");
    }

    private static List<String> lines(List<Source> files, Predicate<Source> which, Pattern offence) {
        List<String> found = new ArrayList<>();
        for (Source file : files) {
            List<String> lines = file.lines();
            for (int i = 0; which.test(file) && i < lines.size(); i++) {
                if (offence.matcher(lines.get(i)).find()) {
                    found.add(file.path() + ":" + (i + 1) + ": " + lines.get(i).strip());
                }
            }
        }
        return found;
    }
}
