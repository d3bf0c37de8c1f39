package dev.weir.dsm;

import dev.weir.dsm.catalogue.DatasetConflict;
import dev.weir.dsm.catalogue.Datasets;
import dev.weir.dsm.files.Checksums;
import dev.weir.dsm.files.DirectoryDataset;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Uids;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Where complete datasets come from: directories of this machine, or lists that a caller gives. */
public final class DatasetSource {

    private final Datasets datasets;
    private final List<Path> allowed = new ArrayList<>();
    private final boolean checksums;

    DatasetSource(Datasets datasets, List<Path> allowed, boolean checksums) throws IOException {
        this.datasets = datasets;
        this.checksums = checksums;
        for (Path root : allowed) {
            this.allowed.add(root.toRealPath());
        }
    }

    /** Whether a directory lies in one that may be registered over HTTP. */
    public boolean allows(Path directory) throws IOException {
        Path real = directory.toRealPath();
        return allowed.stream().anyMatch(real::startsWith);
    }

    /** Registers a directory. Repeating it does nothing; other files under a known uid are a conflict. */
    public void addDirectory(String uid, Path directory) throws IOException, SQLException {
        addDirectory(uid, directory, (files, ofFiles, bytes) -> {});
    }

    void addDirectory(String uid, Path directory, Checksums.Progress progress) throws IOException, SQLException {
        check(uid);
        List<FileInfo> files = DirectoryDataset.list(directory);
        if (!datasets.contains(uid, files)) {
            add(uid, checksums ? Checksums.add(files, progress) : files);
        }
    }

    /** Registers a list of files. Repeating it does nothing. Refuses what a complete dataset could not give back. */
    public void addFiles(String uid, List<FileInfo> files) throws SQLException {
        check(uid);
        for (int i = 0; i < files.size(); i++) {
            check("files[" + i + "]", files.get(i));
        }
        if (!datasets.contains(uid, files)) {
            add(uid, files);
        }
    }

    /** Another may have registered the same while this one read the files. */
    private void add(String uid, List<FileInfo> files) throws SQLException {
        try {
            datasets.add(uid, files);
        } catch (DatasetConflict e) {
            if (!datasets.contains(uid, files)) {
                throw e;
            }
        }
    }

    private static void check(String entry, FileInfo file) {
        if (file == null) {
            throw new InvalidMessage(entry, entry + " is null");
        }
        String field = file.priority() != null ? "priority" : file.groups().isEmpty() ? null : "groups";
        if (field != null) {
            throw new InvalidMessage(
                    entry + "." + field,
                    entry + " has " + field + ", which this DSM does not keep; a task's targets may have it");
        }
        if (file.type() != null && !file.type().equals("file")) {
            throw new InvalidMessage(
                    entry + ".type", entry + " has type '" + file.type() + "'; a complete dataset has files only");
        }
    }

    private static void check(String uid) {
        if (!Uids.isValid(uid)) {
            throw new IllegalArgumentException("a dataset's uid is 1 to " + Uids.MAX_LENGTH
                    + " of A-Z a-z 0-9 . _ : - and not '.' or '..', got '" + uid + "'");
        }
    }
}
