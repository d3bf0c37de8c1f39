/** The commands that only developers need, and the directory of jars that they add to the class path of {@code ./weir}. */
package dev.weir.tools;
