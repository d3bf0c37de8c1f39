/**
 * Where files come from and go to. {@link dev.weir.pilot.storage.Storage} is the one thing that a new URL scheme implements;
 * {@code file} and {@code http(s)} are here, others are found by {@link java.util.ServiceLoader}.
 */
package dev.weir.pilot.storage;
