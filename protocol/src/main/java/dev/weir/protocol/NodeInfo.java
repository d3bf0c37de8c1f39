package dev.weir.protocol;

/**
 * The worker node that a pilot runs on.
 *
 * @param host its name; null when not told
 * @param cores processors; null when not told
 * @param memory in bytes; null when not told
 */
public record NodeInfo(String host, Integer cores, Long memory) {}
