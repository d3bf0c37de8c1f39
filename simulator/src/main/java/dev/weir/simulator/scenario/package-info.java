/** What a seed means: tasks, datasets, pilots, commands and faults, drawn before the run begins, and how to make them fewer. */
package dev.weir.simulator.scenario;
