package io.chimera.coordinator.zookeeper;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * State of the announcement of a member.
 *
 * <pre>
 * from         event                                                    to
 * ABSENT       an announcement is wanted                                ACQUIRING
 * ACQUIRING    the znodes were created, or exist for this session       ACCEPTED
 * ACQUIRING    another process has the id, or the request failed        ABSENT, retried later
 * ACCEPTED     a view shows the announcement                            SHOWN
 * ACCEPTED     no view has shown the announcement in time               ABSENT
 * SHOWN        a view no longer shows the announcement                  ABSENT
 * ACCEPTED     the wanted content has changed                           WRITING
 * SHOWN        the wanted content has changed                           WRITING
 * WRITING      the content was written, or the request failed           ACCEPTED
 * WRITING      the znode does not exist                                 ABSENT
 * ACCEPTED     the announcement is withdrawn                            WITHDRAWING
 * SHOWN        the announcement is withdrawn                            WITHDRAWING
 * ABSENT       the announcement is withdrawn                            WITHDRAWN
 * WITHDRAWING  any reply: the end of the session deletes the znodes     WITHDRAWN
 * any other    the link broke: the outcome of pending requests unknown  ABSENT
 * </pre>
 */
enum AnnouncerState {
    /** The process knows of no own announcement. */
    ABSENT,
    /** The creation of the znodes is requested. */
    ACQUIRING,
    /** ZooKeeper accepted the announcement; no view has shown the announcement since. */
    ACCEPTED,
    /** The newest view shows the announcement. */
    SHOWN,
    /** A change of the content is requested. */
    WRITING,
    /** The deletion of the znodes is requested. */
    WITHDRAWING,
    /** The announcement has ended; this process makes no other. */
    WITHDRAWN;

    private static final Map<AnnouncerState, Set<AnnouncerState>> NEXT = new EnumMap<>(Map.of(
            ABSENT, EnumSet.of(ABSENT, ACQUIRING, WITHDRAWN),
            ACQUIRING, EnumSet.of(ABSENT, ACCEPTED),
            ACCEPTED, EnumSet.of(ABSENT, SHOWN, WRITING, WITHDRAWING),
            SHOWN, EnumSet.of(ABSENT, WRITING, WITHDRAWING),
            WRITING, EnumSet.of(ABSENT, ACCEPTED),
            WITHDRAWING, EnumSet.of(ABSENT, WITHDRAWN),
            WITHDRAWN, EnumSet.noneOf(AnnouncerState.class)));

    /** Returns the next state. */
    AnnouncerState to(AnnouncerState next) {
        if (!NEXT.get(this).contains(next)) {
            throw new IllegalStateException("An announcement that is " + this + " cannot become " + next);
        }
        return next;
    }

    /** Returns whether a request is pending. */
    boolean isPending() {
        return this == ACQUIRING || this == WRITING || this == WITHDRAWING;
    }

    /** Returns whether the znodes exist for this process, as far as it knows. */
    boolean isHeld() {
        return this == ACCEPTED || this == SHOWN || this == WRITING || this == WITHDRAWING;
    }
}
