/** Who may what: tokens with a role, an expiry and a scope, kept as hashes in a file. */
package dev.weir.gateway.access;
