/** What is in a savepoint, read without starting Weir. */
package dev.weir.cli.savepoint;
