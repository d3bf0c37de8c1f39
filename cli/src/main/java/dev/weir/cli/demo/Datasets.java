package dev.weir.cli.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The datasets of the demo: directories of real files, copied from the local JDK. */
final class Datasets {

    /** A directory of the Java home, and the module whose classes supplement its files. */
    private record Source(String directory, String module) {}

    private static final List<Source> SOURCES = List.of(
            new Source("legal", "java.base"),
            new Source("lib", "java.xml"),
            new Source("jmods", "java.desktop"),
            new Source("conf", "java.management"),
            new Source("include", "java.net.http"));

    /** A dataset that is ready to be registered at DSM. */
    record Dataset(String uid, Path directory, int files) {}

    private Datasets() {}

    /** Makes this many datasets with this many files each below a directory. */
    static List<Dataset> copy(int datasets, int files, Path below) throws IOException {
        JdkFiles java = new JdkFiles(Path.of(System.getProperty("java.home")));
        List<Dataset> made = new ArrayList<>();
        for (int i = 0; i < datasets; i++) {
            Source source = SOURCES.get(i % SOURCES.size());
            String name = "jdk-" + source.directory() + (i < SOURCES.size() ? "" : "-" + (i / SOURCES.size() + 1));
            Path directory = below.resolve(name);
            made.add(new Dataset(name, directory, java.copy(source.directory(), source.module(), files, directory)));
        }
        return made;
    }
}
