package dev.weir.dsm.web;

import dev.weir.protocol.FileInfo;
import java.util.List;

/** What {@code POST /dataset} takes: a uid with either a directory on this machine or a list of files. */
record DatasetForm(String uid, String directory, List<FileInfo> files) {}
