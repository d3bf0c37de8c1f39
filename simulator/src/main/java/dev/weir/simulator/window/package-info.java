/** How well the automatic window keeps pilots busy, and how short it keeps the queue: a study in simulation. */
package dev.weir.simulator.window;
