/** {@code ./weir demo}: real files, real programs and real pilots, with a check of the results from outside. */
package dev.weir.cli.demo;
