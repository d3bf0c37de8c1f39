package dev.weir.scheduler.view;

import dev.weir.engine.Timer;
import dev.weir.engine.limit.Group;
import dev.weir.engine.limit.GroupLimit;
import dev.weir.engine.limit.GroupNews;
import dev.weir.protocol.LimitRow;
import dev.weir.scheduler.api.Effect;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.TimerKind;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Derives the rows of limited groups. Once a second at most it looks at a thousand groups that have changed, or whose starts leave the
 * window, or for which files wait; a group that looks as it was shown has no row. What is left follows a second later.
 */
public final class GroupRows {

    private static final long EVERY_MILLIS = 1_000;
    private static final int GROUPS_AT_ONCE = 1_000;
    /** Sets of waiting files that are counted in one event; those of one group are a tenth at most. */
    private static final int WAITERS_AT_ONCE = 10_000;

    private final Lane lane;
    private final GroupNews news;
    private final Timer timer = new Timer(TimerKind.GROUP_ROWS, this);
    /** The time of its first row. It is as new as that also when the clock has gone back, or what was shown before would still hold. */
    private Instant since;

    private boolean due;

    public GroupRows(Lane lane) {
        this.lane = lane;
        news = lane.groups.news();
        if (lane.options.mirror().enabled()) {
            news.want();
        }
    }

    /** The timer is due: rows are shown at the end of the event. */
    public void due() {
        due = true;
    }

    /** Adds rows if it is time. */
    void project() {
        if (due) {
            due = false;
            show();
        }
        if (!news.isEmpty() && !timer.isSet()) {
            lane.timers.set(timer, lane.now() + EVERY_MILLIS);
        }
    }

    private void show() {
        int waiters = 0;
        int most = Math.min(news.size(), GROUPS_AT_ONCE);
        for (int i = 0; i < most && waiters < WAITERS_AT_ONCE; i++) {
            Group group = news.poll();
            waiters += Math.min(group.waiters(), Group.COUNTED_WAITERS);
            boolean isThere = group.isLimited() && !group.isForgotten();
            long starts = isThere ? group.starts(lane.now()) : 0;
            long waiting = isThere ? group.waitingFiles() : 0;
            long look = look(group, isThere, starts, waiting);
            if (look != group.shown) {
                group.shown = isThere ? look : 0;
                row(group, isThere, starts, waiting);
            }
            if (starts > 0 || waiting > 0) {
                news.again(group);
            }
        }
    }

    /** A hash of what is shown; 1 for a group that is not there. */
    private static long look(Group group, boolean isThere, long starts, long waiting) {
        if (!isThere) {
            return 1;
        }
        long hash = group.whole().hashCode();
        hash = hash * 31 + group.source().ordinal();
        hash = hash * 31 + group.inFlight();
        hash = hash * 31 + starts;
        hash = hash * 31 + waiting;
        return hash == 0 || hash == 1 ? 2 : hash;
    }

    private void row(Group group, boolean isThere, long starts, long waiting) {
        GroupLimit whole = group.whole();
        boolean limitsStarts = whole.maxStarts() != GroupLimit.UNLIMITED;
        long version = lane.nextVersion(0);
        if (since == null) {
            since = Instant.EPOCH.plus(version, ChronoUnit.MICROS);
        }
        lane.effects.add(new Effect.ShowRow(new LimitRow(
                group.key(),
                lane.number,
                group.source(),
                whole.maxInFlight() == GroupLimit.UNLIMITED ? null : whole.maxInFlight(),
                limitsStarts ? whole.maxStarts() : null,
                limitsStarts ? whole.window().toMillis() / 1000.0 : null,
                isThere ? group.inFlight() : 0,
                starts,
                waiting,
                since,
                version,
                !isThere)));
    }
}
