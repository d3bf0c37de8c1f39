package dev.weir.job.options;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {

    private final Configuration configuration = new Configuration();

    @Test
    void theDefaultsAndFlinksOwnOptionsAreValid() {
        configuration.setString("execution.checkpointing.interval", "1 s");

        assertThatCode(() -> Settings.check(configuration)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "weir.scheduling.policy|fair|iwrr",
                "weir.scheduling.ranker|nosuch|linear-ageing",
                "weir.scheduling.lease|abc|weir.scheduling.lease",
                "weir.scheduling.lease|-5 s|lease",
                "weir.scheduling.window-max|3|window",
                "weir.scheduling.group-rules|regex:(|regex",
                "weir.scheduling.laese|5 s|no such option",
                "weir.dsm.url|notaurl|weir.dsm.url",
                "weir.pools|[]|pool",
                "weir.lanes|0|lanes"
            })
    void anInvalidSettingIsReportedBeforeTheStart(String key, String value, String said) {
        configuration.setString(key, value);

        assertThatThrownBy(() -> Settings.check(configuration))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(said);
    }

    @Test
    void allInvalidSettingsAreReportedTogether() {
        configuration.setString("weir.scheduling.lease", "abc");
        configuration.setString("weir.nothing", "1");

        assertThatThrownBy(() -> Settings.check(configuration))
                .hasMessageContaining("weir.scheduling.lease")
                .hasMessageContaining("weir.nothing");
    }
}
