package dev.weir.pilot.storage;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/** Puts on the disk what a machine that fails would lose. */
interface Disk {

    Disk OF_THIS_MACHINE = new Disk() {

        @Override
        public void sync(FileChannel file) throws IOException {
            file.force(true);
        }

        @Override
        public void syncNames(Path directory) throws IOException {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            } catch (IOException e) {
                String message = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
                if (!message.contains("invalid argument") && !message.contains("not supported")) {
                    throw e;
                }
            }
        }
    };

    /** The content of a file and its length. */
    void sync(FileChannel file) throws IOException;

    /** The names in a directory, where its file system can do that. */
    void syncNames(Path directory) throws IOException;
}
