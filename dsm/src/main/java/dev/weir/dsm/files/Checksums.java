package dev.weir.dsm.files;

import dev.weir.protocol.FileInfo;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** SHA-256 of files, as {@code sha256:hex}. */
public final class Checksums {

    /** Receives the progress after each file. */
    @FunctionalInterface
    public interface Progress {
        void at(long files, long ofFiles, long bytes);
    }

    private Checksums() {}

    /** The same files with their checksums. Throws when one cannot be read, or has not the size that was listed. */
    public static List<FileInfo> add(List<FileInfo> files, Progress progress) throws IOException {
        List<FileInfo> summed = new ArrayList<>(files.size());
        byte[] buffer = new byte[256 << 10];
        long bytes = 0;
        for (FileInfo file : files) {
            Path path = Path.of(file.url().substring("file://".length()));
            MessageDigest digest = sha256();
            long size = 0;
            try (InputStream in = Files.newInputStream(path)) {
                for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                    digest.update(buffer, 0, count);
                    size += count;
                }
            }
            if (size != file.size()) {
                throw new IOException(path + " changed from " + file.size() + " to " + size
                        + " bytes while it was registered;" + " register the directory once nothing writes there");
            }
            bytes += size;
            summed.add(new FileInfo(
                    file.name(),
                    file.storageUrl(),
                    file.path(),
                    size,
                    "sha256:" + HexFormat.of().formatHex(digest.digest()),
                    null,
                    null,
                    null));
            progress.at(summed.size(), files.size(), bytes);
        }
        return summed;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }
}
