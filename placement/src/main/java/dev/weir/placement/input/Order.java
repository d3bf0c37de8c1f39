package dev.weir.placement.input;

/** In which order virtual chunks look for a worker. It decides which chunks meet full workers. */
public enum Order {
    /** Chunk by chunk, each with all its replicas: the seed's order, and the network's software up to 3.10. */
    CHUNK,
    /** First replica of every chunk, then the second of every chunk, and so on: from 3.11. */
    TAG
}
