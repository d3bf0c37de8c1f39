/** Pilots and their nodes: which of them live, which may take work, and the notices to pilots. */
package dev.weir.scheduler.pilot;
