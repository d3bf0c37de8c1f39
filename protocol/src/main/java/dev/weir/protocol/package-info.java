/**
 * Every message between Weir, WFMS, DSM and pilots, as immutable records that validate themselves.
 *
 * <p>Every record is valid: its constructor throws {@link dev.weir.protocol.InvalidMessage} with the field and the
 * reason otherwise. {@link dev.weir.protocol.Json} converts bytes to records and back. The package does not depend on Flink, a broker
 * or a clock, and is thread-safe.
 */
package dev.weir.protocol;
