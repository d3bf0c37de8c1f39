package dev.weir.chaos.judge;

/**
 * Something that must not be.
 *
 * @param rule short, as in {@code lost}
 * @param task null if it is about none
 * @param file null if it is about none
 * @param text what was seen instead of what
 */
public record Violation(String rule, String task, String file, String text) {}
