package dev.weir.protocol;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/**
 * Writes the messages of which every job has one or two, {@link Job} and {@link Registration}, as the general writer does, byte
 * for byte, in less than half its time. It knows ASCII without escapes only; a message with anything else is left to the general writer.
 */
final class PlainMessage {

    private static final int INITIAL = 1024;

    private static final Map<DeviceType, String> DEVICES = new EnumMap<>(DeviceType.class);
    private static final Map<Mode, String> MODES = new EnumMap<>(Mode.class);

    static {
        for (DeviceType device : DeviceType.values()) {
            DEVICES.put(device, Json.mapper().convertValue(device, String.class));
        }
        for (Mode mode : Mode.values()) {
            MODES.put(mode, Json.mapper().convertValue(mode, String.class));
        }
    }

    private byte[] bytes = new byte[INITIAL];
    private int size;
    private boolean plain = true;

    private PlainMessage() {}

    /** The message as JSON; null when it is of another kind, or not plain. */
    static byte[] write(Object message) {
        if (!(message instanceof Job || message instanceof Registration)) {
            return null;
        }
        PlainMessage out = new PlainMessage();
        if (message instanceof Job job) {
            out.job(job);
        } else if (message instanceof Registration.File file) {
            out.registration("file", file, file.path(), file.storageId(), file.size(), file.checksum(), file.jobUid());
        } else if (message instanceof Registration.Log log) {
            out.registration("log", log, log.path(), log.storageId(), log.size(), log.checksum(), log.jobUid());
        } else {
            return null;
        }
        return out.ended();
    }

    private void job(Job job) {
        text("uid", job.uid());
        text("executable", job.executable());
        text("args", job.args());
        number("rank", Double.toString(job.rank()));
        text("device_type", DEVICES.get(job.deviceType()));
        text("mode", MODES.get(job.mode()));
        text("task_uid", job.taskUid());
        number("task_num", job.taskNum());
        text("file_in_url", job.fileInUrl());
        plain &= job.fileInUrls().isEmpty();
        number("file_in_urls", "[]");
        number("file_in_size", job.fileInSize());
        text("file_in_checksum", job.fileInChecksum());
        text("file_out_url", job.fileOutUrl());
        text("file_log_url", job.fileLogUrl());
        number("attempt", Integer.toString(job.attempt()));
        text("route", job.route());
        number("lease_s", Integer.toString(job.leaseS()));
        number("timeout_s", Integer.toString(job.timeoutS()));
    }

    private void registration(
            String type,
            Registration registration,
            String path,
            String storageId,
            Long fileSize,
            String checksum,
            String jobUid) {
        text("type", type);
        text("id", registration.id());
        text("dataset_uid", registration.datasetUid());
        text("path", path);
        text("storage_id", storageId);
        number("size", fileSize);
        text("checksum", checksum);
        text("job_uid", jobUid);
    }

    /** A field that is left out when it is null. */
    private void text(String name, String value) {
        if (value != null) {
            name(name, value.length() + 2);
            bytes[size++] = '"';
            raw(value);
            bytes[size++] = '"';
        }
    }

    private void number(String name, Long value) {
        if (value != null) {
            number(name, value.toString());
        }
    }

    /** A field whose value is written as it stands. */
    private void number(String name, String value) {
        name(name, value.length());
        raw(value);
    }

    /** Begins a field, and makes room for its value and the end. */
    private void name(String name, int valueLength) {
        int needed = size + name.length() + valueLength + 5;
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(needed, 2 * bytes.length));
        }
        bytes[size] = (byte) (size == 0 ? '{' : ',');
        size++;
        bytes[size++] = '"';
        raw(name);
        bytes[size++] = '"';
        bytes[size++] = ':';
    }

    private void raw(String text) {
        byte[] target = bytes;
        int to = size;
        int length = text.length();
        boolean ascii = true;
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            ascii &= c >= ' ' && c <= '~' && c != '"' && c != '\\';
            target[to + i] = (byte) c;
        }
        size = to + length;
        plain &= ascii;
    }

    private byte[] ended() {
        if (!plain) {
            return null;
        }
        bytes[size++] = '}';
        return Arrays.copyOf(bytes, size);
    }
}
