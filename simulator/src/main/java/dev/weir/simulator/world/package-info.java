/** The moving parts around the core: virtual time, broker, pilots, DSM, WFMS, and the process that hosts the core. */
package dev.weir.simulator.world;
