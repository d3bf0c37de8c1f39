package dev.weir.placement.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IdEncodingTest {

    /** The first three from the Internet-Draft on base 58 (draft-msporny-base58), the fourth a libp2p peer id. */
    @ParameterizedTest
    @CsvSource({
        "BASE58, 2NEpo7TZRRrLZSi2U, 48656c6c6f20576f726c6421",
        "BASE58, 11233QC4, 0000287fb4cd",
        "BASE58, 1, 00",
        "BASE58, QmYyQSo1c1Ym7orWxLYvCrM2EmxFTANf8wXmmE7DWjhx5N, "
                + "12209dff3b17d74cf4d38a50d8b6383e92d181a10395a5e73a726dcccbd21bf6f0b9",
        "HEX, 00FFa0, 00ffa0",
        "UTF8, né, 6ec3a9"
    })
    void idsStandForTheirBytes(IdEncoding encoding, String id, String hex) {
        assertThat(HexFormat.of().formatHex(encoding.decode(id))).isEqualTo(hex);
    }

    @ParameterizedTest
    @CsvSource({"BASE58, abc0", "BASE58, abcl", "HEX, abc", "HEX, zz"})
    void idsInAnotherEncodingAreRefused(IdEncoding encoding, String id) {
        assertThatThrownBy(() -> encoding.decode(id)).isInstanceOf(IllegalArgumentException.class);
    }
}
