package dev.weir.cli.cluster;

import java.nio.file.Path;

/**
 * One process of a cluster.
 *
 * @param name {@code jobmanager} or {@code taskmanager-N}
 * @param pid null if it does not live
 * @param log its log file
 */
public record ProcessState(String name, Long pid, Path log) {}
