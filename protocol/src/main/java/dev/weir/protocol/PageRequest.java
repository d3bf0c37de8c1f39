package dev.weir.protocol;

/**
 * Weir's request to itself to read a page of a dataset. It goes through a queue, so it is durable.
 *
 * @param offset first file, from 0
 * @param limit maximum number of files, from 1
 */
public record PageRequest(String taskUid, String datasetUid, long offset, int limit) {

    public static final int MAX_LIMIT = 100_000;

    public PageRequest {
        Check.uid("task_uid", taskUid);
        Check.uid("dataset_uid", datasetUid);
        Check.notNegative("offset", offset);
        Check.within("limit", limit, 1, MAX_LIMIT);
    }
}
