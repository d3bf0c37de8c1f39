/** The values that a lane keeps in its store, and how they are written: explicit binary codecs, each with its version. */
package dev.weir.scheduler.state;
