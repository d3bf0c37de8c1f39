/** {@code ./weir demo}: real files, real programs, real pilots, and a look from outside at what came of them. */
package dev.weir.cli.demo;
