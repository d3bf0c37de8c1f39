package dev.weir.chaos.hostile;

/**
 * A message that does not belong into its queue.
 *
 * @param body must not be changed
 * @param mustBeRejected whether no reading of it can be right; the others may be taken where they do no harm
 */
@SuppressWarnings("ArrayRecordComponent")
public record BadMessage(Door door, Spoiling spoiling, byte[] body, boolean mustBeRejected) {}
