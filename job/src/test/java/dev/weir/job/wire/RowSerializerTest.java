package dev.weir.job.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.JobCounts;
import dev.weir.protocol.Limits;
import dev.weir.protocol.Row;
import dev.weir.protocol.TaskRow;
import dev.weir.protocol.TaskState;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

class RowSerializerTest {

    private static String emoji(int characters) {
        return "\uD83D\uDE00".repeat(characters / 2);
    }

    @Test
    void aRowWithTheLongestTextsIsReadAgainAsItWas() throws IOException {
        String sentence = emoji(Limits.MAX_SENTENCE_LENGTH);
        TaskRow row = new TaskRow(
                "t",
                TaskState.ACTIVE,
                1,
                1,
                1,
                "cpu",
                null,
                null,
                null,
                emoji(600),
                emoji(10_000),
                0,
                "a",
                "b",
                emoji(600),
                emoji(600),
                emoji(Limits.MAX_LABEL_LENGTH),
                new JobCounts(null, null, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
                "page",
                sentence,
                false,
                sentence,
                null,
                null,
                1,
                false);
        DataOutputSerializer out = new DataOutputSerializer(1024);

        RowSerializer.INSTANCE.serialize(row, out);
        Row read = RowSerializer.INSTANCE.deserialize(new DataInputDeserializer(out.getCopyOfBuffer()));

        assertThat(read).isEqualTo(row);
    }
}
