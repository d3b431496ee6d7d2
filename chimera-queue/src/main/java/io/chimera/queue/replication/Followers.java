package io.chimera.queue.replication;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;

/**
 * How far the peers' journals durably hold the stream that this node stamps. The replicator's thread reports, the
 * acknowledger's reads. What a peer reported once it still holds when it is down, so its report stands until another start
 * of it, maybe with an empty disk, says otherwise.
 */
public final class Followers {
    private volatile Follower[] followers = new Follower[0];

    /** Nobody follows yet. */
    public Followers() {}

    /**
     * Takes a report; a start of the node that was not heard of before begins at 0.
     *
     * @param id the node's name
     * @param session its start
     * @param seq sequence number up to which its journal holds the own stream durably
     */
    void report(String id, long session, long seq) {
        Follower[] known = followers;
        for (int i = 0; i < known.length; i++) {
            if (known[i].id.equals(id)) {
                if (known[i].session == session) {
                    known[i].seq = seq;
                } else {
                    Follower[] copy = known.clone();
                    copy[i] = new Follower(id, session, seq);
                    followers = copy;
                }
                return;
            }
        }
        Follower[] more = Arrays.copyOf(known, known.length + 1);
        more[known.length] = new Follower(id, session, seq);
        followers = more;
    }

    /**
     * Forgets peers that are gone for good: of those that are not live the ones that hold least, until no more are known
     * than belong to the group. Called by the thread that reports.
     */
    void retain(Collection<String> liveIds, int max) {
        Follower[] known = followers;
        if (known.length > max) {
            followers = Arrays.stream(known)
                    .sorted(Comparator.comparing((Follower follower) -> liveIds.contains(follower.id))
                            .thenComparing(follower -> follower.seq)
                            .reversed())
                    .limit(Math.max(max, liveIds.size()))
                    .toArray(Follower[]::new);
        }
    }

    /**
     * The sequence number that so many journals have reached; 0 when there are not so many.
     *
     * @param needed journals, at least 1
     * @param ownSeq what this node's own journal has reached
     */
    long reached(int needed, long ownSeq) {
        // The needed-th highest of a handful of numbers, without a copy: the highest that at least so many reach.
        Follower[] known = followers;
        long reached = countAt(known, ownSeq) + 1 >= needed ? ownSeq : 0;
        for (Follower follower : known) {
            long seq = follower.seq;
            if (seq > reached && countAt(known, seq) + (ownSeq >= seq ? 1 : 0) >= needed) {
                reached = seq;
            }
        }
        return reached;
    }

    /** Number of peers that hold a record. */
    int countAt(long seq) {
        return countAt(followers, seq);
    }

    /** What a peer has reached; -1 when it never reported. */
    long reachedBy(String id) {
        for (Follower follower : followers) {
            if (follower.id.equals(id)) {
                return follower.seq;
            }
        }
        return -1;
    }

    private static int countAt(Follower[] followers, long seq) {
        int count = 0;
        for (Follower follower : followers) {
            if (follower.seq >= seq) {
                count++;
            }
        }
        return count;
    }

    private static final class Follower {
        private final String id;
        private final long session;
        private volatile long seq;

        Follower(String id, long session, long seq) {
            this.id = id;
            this.session = session;
            this.seq = seq;
        }
    }
}
