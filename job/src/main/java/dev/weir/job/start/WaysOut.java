package dev.weir.job.start;

/**
 * The remedies for a job whose checkpoint cannot be read, other than restoring the file. They depend on the command that starts
 * the job: each has its own arguments, and a start with empty state deletes more under some commands than under others.
 */
@FunctionalInterface
public interface WaysOut {

    /** Continues the sentence "Restore that file; or", without a full stop. */
    String of(String job);
}
