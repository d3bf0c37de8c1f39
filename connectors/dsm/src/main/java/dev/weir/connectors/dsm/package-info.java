/**
 * Reads datasets from DSM over HTTP, without blocking the caller and without trusting the answer.
 *
 * <p>{@link dev.weir.connectors.dsm.DsmReader} is the way in. An answer is parsed as a stream under limits; a DSM that ignores
 * paging and gives everything is read once into a file, and pages are cut from there. Whatever goes wrong arrives as a
 * {@link dev.weir.connectors.dsm.DsmFailure}. Nothing here knows Flink.
 */
package dev.weir.connectors.dsm;
