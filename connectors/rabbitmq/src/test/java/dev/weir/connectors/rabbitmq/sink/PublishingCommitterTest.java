package dev.weir.connectors.rabbitmq.sink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PublishingCommitterTest {

    @ParameterizedTest
    @CsvSource({"0, 0, 0", "1, 1, 1", "32, 1, 32", "33, 2, 32", "520, 16, 33", "800, 16, 50", "100000, 16, 6250"})
    void aCommitComesInSmallPartsOfWhichThereAreNeverMany(int count, int parts, int largest) {
        List<AmqpMessage> messages = IntStream.range(0, count)
                .mapToObj(i -> AmqpMessage.persistent("", "q" + i, "id", new byte[0]))
                .toList();

        List<List<AmqpMessage>> published = PublishingCommitter.parts(messages);

        assertThat(published).hasSize(parts);
        assertThat(published.stream().mapToInt(List::size).max().orElse(0)).isEqualTo(largest);
        assertThat(published.stream().flatMap(List::stream)).containsExactlyElementsOf(messages);
    }
}
