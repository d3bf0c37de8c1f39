/** The command line: what is offered as {@code ./weir …}. */
package dev.weir.cli;
