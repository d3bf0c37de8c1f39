/** The options of the scheduling core: immutable, checked, each with its default and unit. */
package dev.weir.scheduler.options;
