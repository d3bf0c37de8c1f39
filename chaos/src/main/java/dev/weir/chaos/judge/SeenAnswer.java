package dev.weir.chaos.judge;

/**
 * An answer that somebody got for a key. Times are nanoseconds of one clock.
 *
 * @param askedAt when the request for it was sent
 * @param resultAt the {@link SeenLease#endAt} that the worker wrote into the result
 * @param mostAge how old the result may have been then
 */
public record SeenAnswer(String key, long askedAt, long resultAt, long mostAge) {}
