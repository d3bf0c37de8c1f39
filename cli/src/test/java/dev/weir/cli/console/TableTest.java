package dev.weir.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TableTest {

    @Test
    void numbersStandAtTheRightAndTheLastColumnIsShortenedToTheWidth() {
        Table table = new Table("task", "#files", "why")
                .row("run7", "12", "all pilots of the pool are busy")
                .row("a", "1000", "");

        assertThat(table.lines(34))
                .containsExactly("task  files  why", "run7     12  all pilots of the po…", "a      1000");
        assertThat(table.lines()).element(1).asString().endsWith("are busy");
    }

    @Test
    void storedTextCannotSteerTheTerminal() {
        assertThat(new Table("a").row("x\u001b[2Jy\nz\u202e").lines()).last().isEqualTo("x?[2Jy z?");
    }
}
