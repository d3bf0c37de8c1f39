/**
 * What crosses the wire: every message that Weir, WFMS, DSM and pilots exchange, as immutable records that check themselves.
 *
 * <p>A record that exists is valid: its constructor throws {@link dev.weir.protocol.InvalidMessage} with the field and the
 * reason otherwise. {@link dev.weir.protocol.Json} turns bytes into records and back. Nothing here knows Flink, a broker or a
 * clock; all of it is safe to share between threads.
 */
package dev.weir.protocol;
