/** Consumes {@code dsm.register}: takes batches, acknowledges after the commit, refuses what is malformed, reconnects. */
package dev.weir.dsm.register;
