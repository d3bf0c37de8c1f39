package dev.weir.scheduler.job;

import dev.weir.scheduler.backlog.Dice;

/** FNV-1a, finished by a mixer: uids that were given must stay the same, so these functions never change. */
public final class Hash {

    private static final long BASIS = 0xCBF29CE484222325L;
    private static final long PRIME = 0x100000001B3L;
    private static final int READABLE_TASK_UID = 72;

    private Hash() {}

    public static long of(byte[] bytes) {
        long hash = BASIS;
        for (byte b : bytes) {
            hash = (hash ^ b & 0xFF) * PRIME;
        }
        return Dice.mix(hash);
    }

    private static long of(long start, String text) {
        long hash = start;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * PRIME;
        }
        return hash;
    }

    /** The uid of a job: readable, and the same after a replay (from task uid, position and file URL). */
    public static String jobUid(String taskUid, long position, String url) {
        long hash = of((of(BASIS, taskUid) ^ position) * PRIME, url);
        String readable = readable(taskUid);
        StringBuilder uid = new StringBuilder(readable.length() + 32)
                .append(readable)
                .append('.')
                .append(position)
                .append('.');
        String hex = Long.toHexString(Dice.mix(hash));
        for (int i = hex.length(); i < 16; i++) {
            uid.append('0');
        }
        return uid.append(hex).toString();
    }

    /** Whether a uid is that of the job at this position of the task, as far as one can tell without its file. */
    public static boolean mayBeJob(String uid, String taskUid, long position) {
        return uid.startsWith(readable(taskUid) + '.' + position + '.');
    }

    private static String readable(String taskUid) {
        return taskUid.length() <= READABLE_TASK_UID ? taskUid : taskUid.substring(0, READABLE_TASK_UID);
    }
}
