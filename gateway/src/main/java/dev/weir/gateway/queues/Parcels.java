package dev.weir.gateway.queues;

import dev.weir.protocol.queue.QueueLimits;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Messages of many entries, made of the JSON of each: an entry is written once, and one that cannot be written spoils no other. */
final class Parcels {

    /** A message has at most 1 MiB, and writers differ in what they escape. */
    private static final int MOST_BYTES = 900 << 10;

    private Parcels() {}

    /** In their order, as few as there can be. */
    static List<List<Asked>> of(List<Asked> entries) {
        List<List<Asked>> parcels = new ArrayList<>(1);
        List<Asked> last = null;
        int bytes = 0;
        for (Asked entry : entries) {
            if (last == null || last.size() >= QueueLimits.MAX_ENTRIES || bytes + entry.json.length > MOST_BYTES) {
                last = new ArrayList<>();
                parcels.add(last);
                bytes = 0;
            }
            last.add(entry);
            bytes += entry.json.length + 1;
        }
        return parcels;
    }

    /** A {@link dev.weir.protocol.queue.QueueRequest} as JSON. */
    static byte[] write(String gateway, List<Asked> entries) {
        ByteArrayOutputStream body = new ByteArrayOutputStream(1024);
        body.writeBytes(text("{\"type\":\"request\",\"gateway\":\"" + gateway + "\",\"entries\":["));
        for (int i = 0; i < entries.size(); i++) {
            if (i > 0) {
                body.write(',');
            }
            body.writeBytes(entries.get(i).json);
        }
        body.writeBytes(text("]}"));
        return body.toByteArray();
    }

    private static byte[] text(String ascii) {
        return ascii.getBytes(StandardCharsets.US_ASCII);
    }
}
