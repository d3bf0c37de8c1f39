package dev.weir.dsm.catalogue;

import java.time.Instant;
import java.util.List;

/**
 * Where a dataset is between its first registration and its close.
 *
 * @param files entries of type file; {@code logs} of type log
 * @param parts of the check-list; null until one has come, and for datasets that were never open
 * @param partsArrived how many have arrived
 * @param missing names on the check-list that were not registered; null while it is open
 * @param unexpected registered names that are not on the check-list; null while it is open
 * @param missingNames the first hundred of the missing
 * @param unexpectedNames the first hundred of the unexpected; empty for one that an older DSM compared last
 */
public record DatasetStatus(
        String uid,
        State state,
        long files,
        long logs,
        Integer parts,
        int partsArrived,
        Long missing,
        Long unexpected,
        List<String> missingNames,
        List<String> unexpectedNames,
        Instant createdAt,
        Instant closedAt) {

    /** Spelled in lower case, on the wire as in the database. */
    public enum State {
        /** Registrations may still come. */
        open,
        /** Complete; for registered ones: the check-list names what was registered, and nothing else. */
        closed,
        /** Closed, but check-list and registrations differ. */
        mismatch
    }
}
