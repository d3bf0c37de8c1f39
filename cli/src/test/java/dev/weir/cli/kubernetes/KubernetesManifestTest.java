package dev.weir.cli.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.weir.job.options.Settings;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessSpec;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessUtils;
import org.junit.jupiter.api.Test;

/** The example for Kubernetes is what Flink's operator takes, and its settings are Weir's and those of other clusters. */
class KubernetesManifestTest {

    private static final YAMLMapper YAML = new YAMLMapper();
    /** Several times the bytes that the mirror job's source may hold. */
    private static final MemorySize MIRROR_HEAP = MemorySize.ofMebiBytes(512);

    private static final String DEFINITION = "META-INF/fabric8/flinkdeployments.flink.apache.org-v1.yml";

    private static List<JsonNode> manifest() throws Exception {
        List<JsonNode> parts = new ArrayList<>();
        YAML.readerFor(JsonNode.class)
                .<JsonNode>readValues(
                        Path.of("../flink-conf/kubernetes/weir.yaml").toFile())
                .forEachRemaining(parts::add);
        return parts;
    }

    private static List<ObjectNode> deployments() throws Exception {
        return manifest().stream()
                .filter(part -> part.path("kind").asText().equals("FlinkDeployment"))
                .map(part -> (ObjectNode) part)
                .toList();
    }

    /** The operator's own definition; it drops fields that it does not know without a word, so here they are mistakes. */
    private static Schema definition() throws Exception {
        try (InputStream in = KubernetesManifestTest.class.getClassLoader().getResourceAsStream(DEFINITION)) {
            JsonNode version = YAML.readTree(in).path("spec").path("versions").path(0);
            JsonNode schema = version.path("schema").path("openAPIV3Schema");
            refuseUnknownFields(schema);
            // The definition says nothing of what all resources have.
            for (String field : List.of("apiVersion", "kind", "metadata")) {
                ((ObjectNode) schema.path("properties")).putObject(field);
            }
            return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                    .getSchema(schema);
        }
    }

    private static void refuseUnknownFields(JsonNode schema) {
        if (schema instanceof ObjectNode object
                && object.path("properties").isObject()
                && !object.has("additionalProperties")
                && !object.path("x-kubernetes-preserve-unknown-fields").asBoolean()) {
            object.put("additionalProperties", false);
        }
        schema.forEach(KubernetesManifestTest::refuseUnknownFields);
    }

    @Test
    void theOperatorTakesAllDeployments() throws Exception {
        Schema definition = definition();
        assertThat(deployments()).hasSize(3);
        for (ObjectNode deployment : deployments()) {
            ObjectNode spec = (ObjectNode) deployment.path("spec");
            assertThat(spec.path("flinkVersion").asText()).isEqualTo("v2_3");
            // The newest definition on Maven Central is of operator 1.10, which ends at Flink 1.20.
            spec.put("flinkVersion", "v1_20");
            assertThat(definition.validate(deployment)).isEmpty();
            spec.put("jobManger", "a mistake");
            assertThat(definition.validate(deployment)).isNotEmpty();
        }
    }

    @Test
    void eachStartsOneJobWithSettingsThatWeirKnows() throws Exception {
        assertThat(deployments())
                .extracting(deployment -> deployment.at("/spec/job/args/3").asText())
                .containsExactly("schedule", "mirror", "queues");
        String settings = manifest().get(1).path("data").path("weir.yaml").asText();
        Settings.check(flinks(YAML.readTree(settings)));
    }

    /** A process without free memory ends at once and is restarted; one that went on would be damaged. */
    @Test
    void everyShippedProcessOfFlinkEndsWhenItHasNoMemoryLeft() throws Exception {
        List<String> options = new ArrayList<>();
        try (Stream<Path> files = Files.walk(Path.of("../flink-conf"))) {
            for (Path file :
                    files.filter(it -> it.toString().matches(".*\\.ya?ml")).toList()) {
                YAML.readerFor(JsonNode.class)
                        .<JsonNode>readValues(file.toFile())
                        .forEachRemaining(part -> {
                            JsonNode flinks = part.path("kind").asText().equals("FlinkDeployment")
                                    ? part.at("/spec/flinkConfiguration")
                                    : part;
                            flinks.properties().stream()
                                    .filter(setting -> setting.getKey().startsWith("env.java.opts"))
                                    .forEach(setting ->
                                            options.add(setting.getValue().asText()));
                        });
            }
        }
        Files.readAllLines(Path.of("../weir")).stream()
                .filter(line -> line.startsWith("exec \"$java\""))
                .forEach(options::add);

        assertThat(options)
                .as("config.yaml, three deployments, ./weir")
                .hasSize(5)
                .allMatch(given -> given.contains("-XX:+ExitOnOutOfMemoryError"));
    }

    @Test
    void eachIsAsLargeAndAsCarefulAsAStandaloneCluster() throws Exception {
        Configuration standalone =
                flinks(YAML.readTree(Path.of("../flink-conf/config.yaml").toFile()));
        for (ObjectNode deployment : deployments()) {
            Configuration given = flinks(deployment.at("/spec/flinkConfiguration"));
            given.setString(
                    TaskManagerOptions.TOTAL_PROCESS_MEMORY.key(),
                    deployment.at("/spec/taskManager/resource/memory").asText());

            assertThat(given.get(CoreOptions.FLINK_JVM_OPTIONS))
                    .isEqualTo(standalone.get(CoreOptions.FLINK_JVM_OPTIONS));
            assertThat(given.get(CheckpointingOptions.MAX_RETAINED_CHECKPOINTS))
                    .isEqualTo(standalone.get(CheckpointingOptions.MAX_RETAINED_CHECKPOINTS));
            TaskExecutorProcessSpec memory = TaskExecutorProcessUtils.processSpecFromConfig(given);
            if (deployment.at("/metadata/name").asText().equals("weir-mirror")) {
                // It keeps nothing but the rows under way, of which RabbitMQ may have given it a full buffer.
                assertThat(memory.getJvmHeapMemorySize()).isGreaterThanOrEqualTo(MIRROR_HEAP);
            } else {
                TaskExecutorProcessSpec reference = TaskExecutorProcessUtils.processSpecFromConfig(standalone);
                assertThat(memory.getJvmHeapMemorySize()).isEqualTo(reference.getJvmHeapMemorySize());
                assertThat(memory.getManagedMemorySize()).isEqualTo(reference.getManagedMemorySize());
            }
        }
    }

    private static Configuration flinks(JsonNode settings) {
        Configuration flinks = new Configuration();
        settings.properties()
                .forEach(setting ->
                        flinks.setString(setting.getKey(), setting.getValue().asText()));
        return flinks;
    }
}
