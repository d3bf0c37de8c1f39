package dev.weir.protocol;

/**
 * The content of a job's opaque {@code route}: it gives the lane, and identifies a job that was sent after the checkpoint
 * to which Weir was restored. Written as {@code lane/position/task uid}.
 *
 * @param lane the key of the scheduling function, from 0
 * @param position of the job in its task, from 0
 * @param taskUid the job's task
 */
public record Route(int lane, long position, String taskUid) {

    public Route {
        Check.within("route", lane, 0, Integer.MAX_VALUE);
        Check.notNegative("route", position);
        Check.uid("route", taskUid);
    }

    public String encoded() {
        return lane + "/" + position + "/" + taskUid;
    }

    /** Reads {@link #encoded()}. Throws {@link InvalidMessage} for any other text and for null. */
    public static Route decode(String route) {
        Check.label("route", Check.required("route", route));
        int first = route.indexOf('/');
        int second = route.indexOf('/', first + 1);
        if (first <= 0 || second < 0) {
            throw new InvalidMessage("route", "route was not made by Weir: '" + route + "'");
        }
        try {
            return new Route(
                    Integer.parseInt(route, 0, first, 10),
                    Long.parseLong(route, first + 1, second, 10),
                    route.substring(second + 1));
        } catch (NumberFormatException e) {
            throw new InvalidMessage("route", "route was not made by Weir: '" + route + "'", e);
        }
    }
}
