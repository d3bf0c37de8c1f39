package dev.weir.job.start;

/**
 * What people can do about a job whose checkpoint cannot be read, beside bringing it back. Only who starts the job can say: each
 * command takes arguments of its own, and starting empty forgets more with one than with another.
 */
@FunctionalInterface
public interface WaysOut {

    /** Goes on after "Bring that file back; or", without a full stop. */
    String of(String job);
}
