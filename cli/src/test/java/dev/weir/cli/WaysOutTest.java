package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The commands' advice on a damaged checkpoint names only their own arguments. */
class WaysOutTest {

    @Test
    void upNamesNoArgumentOfRunAndSaysThatAnEmptyStartDeletesQueuesAndTables() {
        assertThat(UpCommand.waysOut("schedule"))
                .contains("./weir up --fresh", "queues", "tables", "./weir up --accept-loss")
                .doesNotContain("--from", "run");
    }

    @Test
    void runNamesTheJobWhoseCheckpointIsToBeGiven() {
        assertThat(RunCommand.waysOut("mirror"))
                .contains("./weir run --accept-loss", "./weir run --from mirror=PATH", "./weir run --fresh")
                .doesNotContain("tables");
    }
}
