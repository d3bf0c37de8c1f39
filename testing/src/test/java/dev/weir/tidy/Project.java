package dev.weir.tidy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The files of this checkout that people write, without what is built or downloaded. */
final class Project {

    static final Path ROOT = findRoot();

    private static final Set<String> SKIPPED =
            Set.of(".git", "target", "node_modules", "data", ".weir", "bench-results", ".idea");

    /** Files of other projects. */
    private static final Set<String> FOREIGN = Set.of("mvnw", "LICENSE");

    private Project() {}

    /** A text file with its path from the root, with forward slashes. */
    record Source(String path, String text) {

        boolean isJava() {
            return path.endsWith(".java");
        }

        boolean isTest() {
            return path.contains("/src/test/");
        }

        String name() {
            return path.substring(path.lastIndexOf('/') + 1);
        }

        List<String> lines() {
            return text.lines().toList();
        }
    }

    static List<Source> files(String... endings) {
        List<Source> found = new ArrayList<>();
        try {
            Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                    Path name = directory.getFileName();
                    boolean skip = !directory.equals(ROOT) && SKIPPED.contains(name.toString());
                    return skip ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    String path = ROOT.relativize(file).toString().replace('\\', '/');
                    if (matches(path, endings) && !FOREIGN.contains(path) && !path.contains("/vendor/")) {
                        found.add(new Source(path, Files.readString(file, StandardCharsets.UTF_8)));
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    private static boolean matches(String path, String... endings) {
        for (String ending : endings) {
            if (path.endsWith(ending)) {
                return true;
            }
        }
        return false;
    }

    private static Path findRoot() {
        Path here = Path.of("").toAbsolutePath();
        while (!Files.exists(here.resolve("weir")) || !Files.exists(here.resolve("pom.xml"))) {
            here = here.getParent();
            if (here == null) {
                throw new IllegalStateException("not inside a checkout of Weir");
            }
        }
        return here;
    }
}
