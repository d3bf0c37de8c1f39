package dev.weir.gateway.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {

    @Test
    void aLineThatWasCutByAFullDiskSpoilsNoLaterOne(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("audit.jsonl");
        Files.writeString(file, "{\"at\":\"2026-11-29T08:00:00Z\",\"step\":\"as");
        for (int start = 0; start < 2; start++) {
            try (AuditLog log = new AuditLog(file)) {
                log.denied("anna", "127.0.0.1", "PUT /task/t/paused", 403);
            }
        }

        List<String> lines = Files.readAllLines(file);
        assertThat(lines).hasSize(3);
        assertThat(Json.mapper().readTree(lines.get(1)).get("who").asText()).isEqualTo("anna");
        assertThat(Json.mapper().readTree(lines.get(2)).get("who").asText()).isEqualTo("anna");
    }
}
