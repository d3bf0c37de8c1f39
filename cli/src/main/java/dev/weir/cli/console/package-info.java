/** What commands print: tables and lines of JSON. */
package dev.weir.cli.console;
