/** A whole Weir for tests and benchmarks: its programs as real processes, with a broker and a database of their own. */
package dev.weir.testing.site;
