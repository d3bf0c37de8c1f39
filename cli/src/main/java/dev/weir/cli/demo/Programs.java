package dev.weir.cli.demo;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;

/** The programs that the demo's pilots run: small shell scripts around standard tools. */
final class Programs {

    static final List<String> NAMES = List.of("checksum", "compress", "count", "picky", "fingerprint", "merge");

    private Programs() {}

    /** Copies the programs into a directory and makes them executable. */
    static void install(Path directory) throws IOException {
        Files.createDirectories(directory);
        for (String name : NAMES) {
            Path program = directory.resolve(name);
            try (InputStream text = Objects.requireNonNull(Programs.class.getResourceAsStream(name))) {
                Files.copy(text, program, StandardCopyOption.REPLACE_EXISTING);
            }
            if (!program.toFile().setExecutable(true, false)) {
                throw new IOException(program + " cannot be made executable; is its file system mounted noexec?");
            }
        }
    }
}
