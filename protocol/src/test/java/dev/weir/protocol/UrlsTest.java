package dev.weir.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UrlsTest {

    @ParameterizedTest
    @CsvSource({
        "file:///, file:///d/f",
        "file:///data, file:///data/d/f",
        "file:///data//, file:///data/d/f",
        "https://host, https://host/d/f",
        "https://host/, https://host/d/f",
        "/, /d/f",
        "data/, data/d/f"
    })
    void joinedPartsHaveSingleSlashesBetweenThemAndKeepThoseOfTheScheme(String storage, String joined) {
        assertThat(Urls.join(storage, "d", "f")).isEqualTo(joined);
        assertThat(Urls.join(storage, "/d/", "", "//f")).isEqualTo(joined);
    }

    @Test
    void aUrlJoinedToTheRootOfAFileSystemIsThatOfAFile() {
        assertThat(Urls.isFile(Urls.join("file:///", "out", "f"))).isTrue();
    }

    @Test
    void sentencesForPeopleHideThePasswordsOfUrlsAlsoWhereTheyAreCut() {
        assertThat(Check.sentence("no file at https://user:secret@host/f")).isEqualTo("no file at https://***@host/f");
        String before = "x".repeat(Limits.MAX_SENTENCE_LENGTH - 20);
        assertThat(Check.sentence(before + "https://user:secret@host/f")).doesNotContain("secr");
    }
}
