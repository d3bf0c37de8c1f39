/**
 * One lane at work. {@link dev.weir.scheduler.lane.Lane} holds what all its parts share and applies events; the parts are named
 * by what they decide: admission, reading, release, reports, outcomes, commands, closure.
 */
package dev.weir.scheduler.lane;
