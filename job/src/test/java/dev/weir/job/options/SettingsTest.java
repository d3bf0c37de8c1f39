package dev.weir.job.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.scheduler.options.PoolOptions;
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
                "weir.scheduling.group-rules|regex:(?=x)y|no look-around and no back references: invalid or unsupported Perl syntax '(?='",
                "weir.scheduling.group-rules|regex:(a)\\1|no look-around and no back references",
                "weir.scheduling.error-rules|system,message=(?<!x)y|no look-around and no back references",
                "weir.scheduling.laese|5 s|no such option",
                "weir.dsm.url|notaurl|weir.dsm.url",
                "weir.dsm.request-timeout|0 s|weir.dsm.request-timeout must be longer than nothing",
                "weir.dsm.retry-for|0 s|weir.dsm.retry-for must be longer than nothing",
                "weir.dsm.absence|-1 s|weir.dsm.absence",
                "weir.dsm.concurrency|0|weir.dsm.concurrency must be between 1 and 1000",
                "weir.mirror.batch-rows|501|weir.mirror.batch-rows must be between 1 and 500, got 501",
                "weir.mirror.batch-rows|0|weir.mirror.batch-rows must be between 1 and 500, got 0",
                "weir.mirror.batch-delay|-1 ms|weir.mirror.batch-delay",
                "weir.mirror.archive-days|-1|weir.mirror.archive-days must be between 0 and 1000, got -1",
                "weir.postgres.url|jdbc:postgresql://h/d?ssl=true&reWriteBatchedInserts=true|weir.postgres.url: remove reWriteBatchedInserts",
                "weir.amqp.queue.tasks|''|weir.amqp.queue.tasks must have between 1 and 255 bytes, got 0",
                "weir.amqp.prefetch|65536|weir.amqp.prefetch must be between 1 and 65535, got 65536",
                "weir.amqp.max-in-flight|0|weir.amqp.max-in-flight must be at least 1, got 0",
                "weir.amqp.confirm-timeout|0 s|weir.amqp.confirm-timeout must be longer than nothing",
                "weir.pools|[]|pool",
                "weir.lanes|0|lanes",
                "weir.pool.gpu.policy|fair|iwrr",
                "weir.pool.gpu.window|many|weir.pool.gpu.window",
                "weir.pool.gpu.window-max|3|pool gpu: window-max",
                "weir.pool.bigmem.window|3|there is no pool 'bigmem'; weir.pools names cpu, gpu",
                "weir.pool.gpu.windows|3|weir.pool.gpu.windows: there is no such option",
                "weir.pool.window|3|weir.pool.window: there is no such option",
                "weir.pool.NAME.window|3|there is no pool 'NAME'"
            })
    void anInvalidSettingIsReportedBeforeTheStart(String key, String value, String said) {
        configuration.setString(key, value);

        assertThatThrownBy(() -> Settings.check(configuration))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(said);
    }

    @Test
    void aPoolTakesItsOwnSettingsAndElseThoseOfAllPools() {
        configuration.setString("weir.pools", "cpu;gpu;big.mem");
        configuration.setString("weir.scheduling.policy", "wfq");
        configuration.setString("weir.scheduling.window", "50");
        configuration.setString("weir.pool.gpu.policy", "strict");
        configuration.setString("weir.pool.gpu.window", "8");
        configuration.setString("weir.pool.big.mem.window", "0");
        configuration.setString("weir.pool.big.mem.window-min", "2");
        configuration.setString("weir.pool.big.mem.window-max", "40");

        Settings.check(configuration);

        assertThat(CoreOptions.of(configuration).pools())
                .containsEntry("cpu", new PoolOptions("wfq", 50, 16, 20_000))
                .containsEntry("gpu", new PoolOptions("strict", 8, 16, 20_000))
                .containsEntry("big.mem", new PoolOptions("wfq", 0, 2, 40));
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
