package dev.weir.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.tidy.Project.Source;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The targets of links in documents exist, and every module is described. */
class DocumentsTest {

    private static final Pattern LINK = Pattern.compile("(?<!`)\\[[^\\]]*\\]\\(([^)\\s]+)\\)");
    private static final Pattern FENCE = Pattern.compile("(?ms)^```.*?^```$");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+?)\\s*$");
    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

    @Test
    void everyLinkLeadsSomewhere() throws Exception {
        List<String> broken = new ArrayList<>();
        for (Source page : Project.files(".md")) {
            Matcher link = LINK.matcher(FENCE.matcher(page.text()).replaceAll(""));
            while (link.find()) {
                if (!resolves(page, link.group(1))) {
                    broken.add(page.path() + ": " + link.group(1));
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void everyModuleStandsInTheArchitecturePageAndEveryPomHasAName() throws Exception {
        String architecture = Files.readString(Project.ROOT.resolve("docs/ARCHITECTURE.md"));
        List<String> missing = new ArrayList<>();
        Matcher module = MODULE.matcher(Files.readString(Project.ROOT.resolve("pom.xml")));
        while (module.find()) {
            if (!architecture.contains("`" + module.group(1) + "/`")) {
                missing.add(module.group(1) + " is not in docs/ARCHITECTURE.md");
            }
            if (!Files.readString(Project.ROOT.resolve(module.group(1)).resolve("pom.xml"))
                    .contains("<name>Weir: ")) {
                missing.add(module.group(1) + "/pom.xml has no name");
            }
        }
        assertThat(missing).isEmpty();
    }

    private static boolean resolves(Source page, String target) throws Exception {
        if (target.matches("(https?|mailto):.*")) {
            return true;
        }
        String[] parts = target.split("#", 2);
        Path from = Project.ROOT.resolve(page.path());
        Path to = parts[0].isEmpty() ? from : from.resolveSibling(parts[0]).normalize();
        if (!Files.exists(to)) {
            return false;
        }
        return parts.length < 2
                || !to.toString().endsWith(".md")
                || anchors(Files.readString(to)).contains(parts[1]);
    }

    /** As GitHub makes them: lower case, without punctuation, blanks as hyphens. */
    private static Set<String> anchors(String text) {
        Set<String> anchors = new HashSet<>();
        Matcher heading = HEADING.matcher(FENCE.matcher(text).replaceAll(""));
        while (heading.find()) {
            anchors.add(heading.group(1)
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-'));
        }
        return anchors;
    }
}
