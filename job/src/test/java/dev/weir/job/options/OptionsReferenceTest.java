package dev.weir.job.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class OptionsReferenceTest {

    private static final Path PAGE = Path.of("..", "docs", "CONFIGURATION.md");

    @Test
    void theReferencePageSaysWhatTheOptionsSay() throws IOException {
        if (Boolean.getBoolean("weir.regenerate")) {
            Files.writeString(PAGE, OptionsReference.markdown());
        }
        assertThat(Files.readString(PAGE)).isEqualTo(OptionsReference.markdown());
    }

    @Test
    void everyOptionHasAMeaningAndAKeyOfItsOwn() {
        assertThat(OptionsReference.SECTIONS.stream()
                        .flatMap(section -> OptionsReference.options(section.options()).stream())
                        .map(documented -> documented.option().key()))
                .doesNotHaveDuplicates()
                .allMatch(key -> key.startsWith("weir."));
        assertThat(OptionsReference.markdown()).doesNotContain("|  |");
    }
}
