package dev.weir.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** What the build downloads outside of Maven's own checks is what it was when it was chosen. */
class DownloadsTest {

    @Test
    void theWrapperKnowsTheChecksumOfMaven() throws Exception {
        assertThat(Files.readAllLines(Project.ROOT.resolve(".mvn/wrapper/maven-wrapper.properties")))
                .anyMatch(line -> line.matches("distributionSha256Sum=[0-9a-f]{64}"));
    }

    @Test
    void imagesAreNamedByVersionOrDigest() throws Exception {
        assertThat(Files.readAllLines(Project.ROOT.resolve("docker-compose.yml")).stream()
                        .map(String::strip)
                        .filter(line -> line.startsWith("image: ")))
                .isNotEmpty()
                .allMatch(line -> line.matches("image: \\S+(:v?[0-9][\\w.-]*|@sha256:[0-9a-f]{64})"));
    }
}
