/** The command line {@code ./weir}: a class for each command. */
package dev.weir.cli;
