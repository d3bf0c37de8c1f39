package dev.weir.protocol;

/**
 * The worker node of a pilot.
 *
 * @param host its name; null if unknown
 * @param cores number of processors; null if unknown
 * @param memory in bytes; null if unknown
 * @param gpus number of GPUs; null if unknown
 */
public record NodeInfo(String host, Integer cores, Long memory, Integer gpus) {
    public NodeInfo {
        Check.label("host", host);
        if (cores != null) {
            Check.notNegative("cores", cores);
        }
        Check.size("memory", memory);
        if (gpus != null) {
            Check.notNegative("gpus", gpus);
        }
    }

    /** With an unknown number of GPUs. */
    public NodeInfo(String host, Integer cores, Long memory) {
        this(host, cores, memory, null);
    }
}
