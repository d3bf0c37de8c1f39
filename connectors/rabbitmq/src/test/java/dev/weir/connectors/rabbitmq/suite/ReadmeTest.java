package dev.weir.connectors.rabbitmq.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.connectors.rabbitmq.broker.EmbeddedBroker;
import dev.weir.connectors.rabbitmq.sink.RabbitMqSinkBuilder;
import dev.weir.connectors.rabbitmq.source.RabbitMqSourceBuilder;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README says what is: its quick start compiles and runs as it stands there, and every option is in it. */
class ReadmeTest {

    private static final Pattern PROGRAM =
            Pattern.compile("```java\n(import (?:(?!```).)*?public final class (\\w+).*?)```", Pattern.DOTALL);

    private final String readme = Files.readString(Path.of("README.md"));

    @TempDir
    Path directory;

    ReadmeTest() throws IOException {}

    @Test
    void theProgramsCompileAndTheFirstOrderIsShipped() throws Exception {
        assertThat(compile()).containsExactly("Shipments", "FirstOrder", "ParcelDeserializer");
        try (EmbeddedBroker broker = EmbeddedBroker.start();
                TextQueues queues = new TextQueues(broker)) {
            queues.declare("orders");
            queues.declare("shipments");
            Process order = start("FirstOrder", broker.uri());
            assertThat(order.waitFor()).isZero();
            Process program = start("Shipments", broker.uri());
            try {
                Jobs.await().atMost(Duration.ofMinutes(2)).until(() -> queues.ready("orders") == 0);
                assertThat(queues.take("shipments")).containsExactly("a hammer");
            } finally {
                program.destroyForcibly().waitFor();
            }
        }
    }

    /** The names of the programs. */
    private List<String> compile() throws IOException {
        List<String> names = new ArrayList<>();
        Matcher program = PROGRAM.matcher(readme);
        while (program.find()) {
            Path source = Files.writeString(directory.resolve(program.group(2) + ".java"), program.group(1));
            int result = ToolProvider.getSystemJavaCompiler()
                    .run(null, null, null, "-proc:none", "-d", directory.toString(), source.toString());
            assertThat(result).as(program.group(2)).isZero();
            names.add(program.group(2));
        }
        return names;
    }

    private Process start(String name, String uri) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classes = directory + File.pathSeparator + System.getProperty("java.class.path");
        return new ProcessBuilder(
                        java, "-Xmx256m", "--add-opens=java.base/java.util=ALL-UNNAMED", "-cp", classes, name, uri)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(name + ".output").toFile())
                .start();
    }

    @Test
    void everyOptionIsInTheReadme() {
        assertThat(Stream.of(RabbitMqSourceBuilder.class, RabbitMqSinkBuilder.class)
                        .flatMap(builder -> Stream.of(builder.getMethods()))
                        .map(Method::getName)
                        .filter(name -> name.startsWith("set"))
                        .filter(name -> !readme.contains("`" + name + "`")))
                .isEmpty();
    }
}
