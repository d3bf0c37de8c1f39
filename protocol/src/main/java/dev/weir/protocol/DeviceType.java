package dev.weir.protocol;

/** What a task's program needs: any worker, or one with a GPU. */
public enum DeviceType {
    CPU,
    GPU
}
