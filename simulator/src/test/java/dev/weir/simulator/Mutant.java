package dev.weir.simulator;

/**
 * A deliberate bug in the core.
 *
 * @param name what is wrong, in a sentence
 * @param file below the package dev.weir.scheduler
 * @param original text that is found exactly once in the file
 * @param replacement what stands there instead
 */
record Mutant(String name, String file, String original, String replacement) {

    @Override
    public String toString() {
        return name;
    }
}
