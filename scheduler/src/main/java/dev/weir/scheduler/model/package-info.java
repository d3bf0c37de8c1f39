/**
 * One lane's memory: tasks, jobs, pilots, nodes and pools as they are held beside their records in state, and the agenda of the event at
 * hand. Data with the few rules that keep it consistent; what happens to it is decided in the packages above.
 */
package dev.weir.scheduler.model;
