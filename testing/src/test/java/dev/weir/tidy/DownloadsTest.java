package dev.weir.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the build downloads outside of Maven's own checks is what it was when it was chosen. */
class DownloadsTest {

    @Test
    void theWrapperKnowsTheChecksumOfMaven() throws Exception {
        assertThat(Files.readAllLines(Project.ROOT.resolve(".mvn/wrapper/maven-wrapper.properties")))
                .anyMatch(line -> line.matches("distributionSha256Sum=[0-9a-f]{64}"));
    }

    @Test
    void imagesAreNamedByVersionAndDigest() throws Exception {
        assertThat(lines("docker-compose.yml", "image: "))
                .filteredOn(image -> !image.equals("weir:0.1.0"))
                .hasSizeGreaterThan(4)
                .allMatch(image -> image.matches("\\S+:v?[0-9][\\w.-]*@sha256:[0-9a-f]{64}"));
        assertThat(lines("Dockerfile", "ARG J"))
                .hasSize(2)
                .allMatch(image -> image.matches("(DK|RE)=\\S+:[0-9][\\w.-]*@sha256:[0-9a-f]{64}"));
    }

    private static List<String> lines(String file, String start) throws IOException {
        return Files.readAllLines(Project.ROOT.resolve(file)).stream()
                .map(String::strip)
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()))
                .toList();
    }
}
