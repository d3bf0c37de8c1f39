/** Reads the mirror in PostgreSQL (docs/DATABASE.md): rows as the objects of the contract, lists as pages. */
package dev.weir.gateway.mirror;
