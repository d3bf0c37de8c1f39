package dev.weir.protocol;

/** The node that a task's program needs: any node, or one with a GPU. */
public enum DeviceType {
    CPU,
    GPU
}
