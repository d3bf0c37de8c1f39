package dev.weir.dsm.catalogue;

/** A uid is taken by a dataset with other files. */
public final class DatasetConflict extends RuntimeException {

    public DatasetConflict(String uid) {
        super("dataset " + uid + " exists with other files; a dataset never changes: give the new files a new uid");
    }
}
