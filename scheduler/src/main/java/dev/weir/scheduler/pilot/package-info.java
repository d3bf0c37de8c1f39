/** Pilots and their nodes: which of them live, which may take work, and what they are told. */
package dev.weir.scheduler.pilot;
