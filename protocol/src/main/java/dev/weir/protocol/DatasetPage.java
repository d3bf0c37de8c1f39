package dev.weir.protocol;

import java.util.List;

/**
 * A page of a dataset, DSM's answer over HTTP.
 *
 * @param total files in the whole dataset
 * @param data the files of this page, at most {@value PageRequest#MAX_LIMIT}, in the dataset's stable order
 */
public record DatasetPage(Long total, List<FileInfo> data) {

    public DatasetPage {
        Check.notNegative("total", Check.required("total", total));
        data = Check.copied("data", Check.required("data", data));
        Check.atMost("data", data, PageRequest.MAX_LIMIT);
    }
}
