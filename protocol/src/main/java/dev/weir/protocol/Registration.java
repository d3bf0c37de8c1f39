package dev.weir.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonSubTypes.Type;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;

/** Weir's messages to DSM on {@code dsm.register}. Ids are stable: a repeated message has the id of the first. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @Type(value = Registration.File.class, name = "file"),
    @Type(value = Registration.Log.class, name = "log"),
    @Type(value = Registration.Close.class, name = "close")
})
public sealed interface Registration {

    String id();

    String datasetUid();

    /**
     * An output belongs to the dataset.
     *
     * @param path on its storage, with the file name
     * @param size in bytes; null if the pilot did not report it
     */
    record File(String id, String datasetUid, String path, String storageId, Long size, String checksum, String jobUid)
            implements Registration {
        public File {
            Check.label("id", Check.text("id", id));
            Check.uid("dataset_uid", datasetUid);
            Check.fileUrl("path", Check.text("path", path));
            Check.bytes("storage_id", Check.text("storage_id", storageId), Limits.MAX_URL_BYTES);
            Check.size("size", size);
            Check.label("checksum", checksum);
            Check.uid("job_uid", jobUid);
        }
    }

    /** A log belongs to the dataset. Fields as in {@link File}. */
    record Log(String id, String datasetUid, String path, String storageId, Long size, String checksum, String jobUid)
            implements Registration {
        public Log {
            Check.label("id", Check.text("id", id));
            Check.uid("dataset_uid", datasetUid);
            Check.fileUrl("path", Check.text("path", path));
            Check.bytes("storage_id", Check.text("storage_id", storageId), Limits.MAX_URL_BYTES);
            Check.size("size", size);
            Check.label("checksum", checksum);
            Check.uid("job_uid", jobUid);
        }
    }

    /**
     * The end of a dataset: it closes when all parts have arrived.
     *
     * @param checkList this part of the names of all registered outputs and logs, at most 10,000
     * @param part number of this part, from 1
     * @param parts number of parts, from 1
     */
    record Close(String id, String datasetUid, List<String> checkList, int part, int parts) implements Registration {
        public Close {
            Check.label("id", Check.text("id", id));
            Check.uid("dataset_uid", datasetUid);
            checkList = Check.copied("check_list", checkList);
            Check.atMost("check_list", checkList, Limits.MAX_CHECK_LIST_PART);
            checkList.forEach(name -> Check.bytes("check_list", name, Limits.MAX_NAME_BYTES));
            Check.within("parts", parts, 1, Integer.MAX_VALUE);
            Check.within("part", part, 1, parts);
        }
    }
}
