package dev.weir.connectors.rabbitmq.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.annotation.Internal;
import org.apache.flink.annotation.PublicEvolving;
import org.junit.jupiter.api.Test;

/** A user can see which types may be relied on. A nested type is as stable as the one around it. */
class StabilityTest {

    private static final Path SOURCES = Path.of("src", "main", "java");

    @Test
    void everyPublicTypeIsEitherPublicEvolvingOrInternal() throws IOException, ClassNotFoundException {
        List<String> offences = new ArrayList<>();
        int seen = 0;
        for (Class<?> type : types()) {
            if (Modifier.isPublic(type.getModifiers())) {
                seen++;
                if (type.isAnnotationPresent(PublicEvolving.class) == type.isAnnotationPresent(Internal.class)) {
                    offences.add(type.getName());
                }
            }
        }
        assertThat(offences).isEmpty();
        assertThat(seen).isGreaterThan(30);
    }

    private static List<Class<?>> types() throws IOException, ClassNotFoundException {
        List<Class<?>> types = new ArrayList<>();
        try (Stream<Path> files = Files.walk(SOURCES)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".java"))
                    .filter(path -> !path.endsWith("package-info.java"))
                    .toList()) {
                String path = SOURCES.relativize(file).toString();
                types.add(Class.forName(path.substring(0, path.length() - ".java".length())
                        .replace(file.getFileSystem().getSeparator(), ".")));
            }
        }
        return types;
    }
}
