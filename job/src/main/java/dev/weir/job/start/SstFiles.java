package dev.weir.job.start;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileReader;
import org.rocksdb.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** RocksDB's files of state. Each block in them has a checksum, which RocksDB compares only when it comes to read that block. */
final class SstFiles {

    static final String ENDING = ".sst";

    private static final Logger LOG = LoggerFactory.getLogger(SstFiles.class);
    private static final boolean ROCKSDB_IS_THERE = loadRocksDb();

    private SstFiles() {}

    /**
     * Reads a whole file and compares its checksums.
     *
     * @return what is wrong with it, in words; empty if nothing is
     * @throws IOException when it cannot be read, which says nothing about its content
     */
    static Optional<String> damage(Path file) throws IOException {
        if (!ROCKSDB_IS_THERE) {
            return Optional.empty();
        }
        try (Options options = new Options();
                SstFileReader reader = new SstFileReader(options)) {
            reader.open(file.toString());
            reader.verifyChecksum();
            return Optional.empty();
        } catch (RocksDBException e) {
            if (e.getStatus() != null && e.getStatus().getCode() == Status.Code.Corruption) {
                return Optional.of(file + " is not as it was written: " + e.getMessage());
            }
            throw new IOException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Its library is unpacked into the directory for temporary files, which may be read-only: Flink brings its own then. */
    private static boolean loadRocksDb() {
        try {
            RocksDB.loadLibrary();
            return true;
        } catch (RuntimeException | UnsatisfiedLinkError e) {
            LOG.warn(
                    "The checksums of checkpoints are not compared at the start: RocksDB's library cannot be loaded",
                    e);
            return false;
        }
    }
}
