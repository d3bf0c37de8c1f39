/** The shell around a pure core: lanes as keys, tables as keyed state, deadlines as timers. Both cores run in it. */
package dev.weir.job.lane;
