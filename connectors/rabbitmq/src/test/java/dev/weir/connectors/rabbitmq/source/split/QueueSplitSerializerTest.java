package dev.weir.connectors.rabbitmq.source.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class QueueSplitSerializerTest {

    private final QueueSplitSerializer serializer = new QueueSplitSerializer();

    private static List<MessageKey> keys(int from, int to) {
        return IntStream.range(from, to).mapToObj(n -> new MessageKey(n, -n)).toList();
    }

    @Test
    void whatIsAcknowledgedAndWhatIsNotStaysApart() throws Exception {
        QueueSplit split = new QueueSplit("größe", 7, new SeenIds(keys(0, 3), keys(3, 4), keys(4, 9), 2, 1));
        assertThat(serializer.deserialize(serializer.getVersion(), serializer.serialize(split)))
                .isEqualTo(split);
    }

    /** It does not say which of them were acknowledged; what was not is at its end. */
    @Test
    void ofVersion1TheNewestAreTakenForUnacknowledged() throws Exception {
        List<MessageKey> all = keys(0, 65_535 + 100);
        ByteBuffer old = ByteBuffer.allocate(4 + 1 + 8 + 4 + 16 * all.size());
        old.putInt(1).put((byte) 'q').putLong(7).putInt(all.size());
        all.forEach(key -> old.putLong(key.high()).putLong(key.low()));

        assertThat(serializer.deserialize(1, old.array()))
                .isEqualTo(new QueueSplit("q", 7, new SeenIds(keys(0, 100), List.of(), keys(100, all.size()))));
    }

    /** It ended there. */
    @Test
    void version2IsReadAndSaysNothingOfWhatWasAcknowledgedOrLostAtOnce() throws Exception {
        SeenIds lists = new SeenIds(keys(0, 3), keys(3, 4), keys(4, 9));
        byte[] now = serializer.serialize(new QueueSplit("q", 7, lists));
        byte[] old = Arrays.copyOf(now, now.length - 2 * Integer.BYTES);
        assertThat(serializer.deserialize(2, old)).isEqualTo(new QueueSplit("q", 7, lists));
    }

    @Test
    void whatIsDamagedOrOfALaterVersionIsRefused() {
        byte[] bytes = serializer.serialize(new QueueSplit("q", 7, new SeenIds(keys(0, 3), keys(3, 4), keys(4, 9))));
        byte[] half = Arrays.copyOf(bytes, bytes.length - 1);
        assertThatThrownBy(() -> serializer.deserialize(3, half))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("damaged");
        assertThatThrownBy(() -> serializer.deserialize(4, bytes))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("version 4");
    }
}
