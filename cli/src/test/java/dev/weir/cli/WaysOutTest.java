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
    void upSaysThatAfterAFreshStartTheDsmKnowsNoDatasetAnyMore() {
        String help = Weir.commandLine().getSubcommands().get("up").getUsageMessage();

        assertThat(help.replaceAll("\\s+", " "))
                .contains("Files of datasets and outputs stay; the DSM forgets them")
                .doesNotContain("Datasets and outputs stay");
        assertThat(UpCommand.waysOut("schedule")).contains("files of datasets and outputs stay; the DSM forgets them");
    }

    @Test
    void runNamesTheJobWhoseCheckpointIsToBeGiven() {
        assertThat(RunCommand.waysOut("mirror"))
                .contains("./weir run --accept-loss", "./weir run --from mirror=PATH", "./weir run --fresh")
                .doesNotContain("tables");
    }
}
