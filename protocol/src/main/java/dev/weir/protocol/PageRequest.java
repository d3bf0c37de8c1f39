package dev.weir.protocol;

/**
 * Weir asks itself to read a page of a dataset, through a queue so that the request is as durable as everything else.
 *
 * @param offset first file, from 0
 * @param limit most files, from 1
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
