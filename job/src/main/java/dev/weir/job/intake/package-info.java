/** What happens to a message before it reaches the scheduling function: checked, given its lane, or rejected. */
package dev.weir.job.intake;
