package dev.weir.sql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ArchiveRoomTest {

    @Test
    void thereAreLocksForTheDaysThatTheSettingItNamesIsFor() {
        ArchiveRoom defaults = new ArchiveRoom(64, 100);
        assertThat(defaults.days()).isEqualTo(182);

        int locks = defaults.locksFor(1_000);

        assertThat(new ArchiveRoom(locks, 100).days()).isGreaterThanOrEqualTo(1_000);
        assertThat(new ArchiveRoom(locks - 1, 100).days()).isLessThan(1_000);
    }

    @Test
    void theDefaultOfNinetyDaysIsNeverTooMuch() {
        assertThat(new ArchiveRoom(10, 20).days()).isEqualTo(90);
    }
}
