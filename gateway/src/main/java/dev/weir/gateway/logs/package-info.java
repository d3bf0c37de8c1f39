/** The logs that pilots stored: their ends, read from places that the operator allows. */
package dev.weir.gateway.logs;
