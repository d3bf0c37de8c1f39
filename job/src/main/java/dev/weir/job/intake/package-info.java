/** The way of a message to the scheduling function: validated, assigned to a lane, or rejected. */
package dev.weir.job.intake;
