package dev.weir.simulator;

/**
 * A deliberate bug in a core.
 *
 * @param name what is wrong, in a sentence
 * @param file below one of the roots of {@link MutatedCore}
 * @param original text that is found exactly once in the file
 * @param replacement what stands there instead
 */
record Mutant(String name, String file, String original, String replacement) {

    @Override
    public String toString() {
        return name;
    }
}
