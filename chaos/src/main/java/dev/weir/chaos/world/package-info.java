/** The processes, and what is done to them. */
package dev.weir.chaos.world;
