/** What moves between two assignments. */
package dev.weir.placement.diff;
