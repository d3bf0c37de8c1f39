/**
 * How a pilot reaches Weir, whichever way it takes: an {@link dev.weir.pilot.uplink.Uplink} brings jobs and notices and carries the reports
 * that the {@link dev.weir.pilot.uplink.Outbox} keeps.
 */
package dev.weir.pilot.uplink;
