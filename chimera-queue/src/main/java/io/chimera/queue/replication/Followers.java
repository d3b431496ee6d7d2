package io.chimera.queue.replication;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;

/**
 * Durable positions of this node's own stream in the journals of the peers. The replicator's thread reports, the
 * acknowledger's thread reads. A peer keeps its journal while it is down, so a report stays valid until a new session
 * of the peer, maybe with an empty disk, reports another position.
 */
public final class Followers {
    private volatile Follower[] followers = new Follower[0];

    /** Creates an empty list of peers. */
    public Followers() {}

    /**
     * Records the position of a peer. A new session of the peer replaces the report of the old session.
     *
     * @param id id of the node
     * @param session session of the node
     * @param seq last sequence number of the own stream that the peer's journal durably holds
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
     * Forgets peers that have left for good: removes dead peers with the lowest positions until at most {@code max}
     * peers remain. Live peers always stay. Called by the reporting thread.
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
     * Returns the highest sequence number reached by {@code needed} journals; 0 without enough journals.
     *
     * @param needed number of journals, at least 1
     * @param ownSeq position of this node's own journal
     */
    long reached(int needed, long ownSeq) {
        // Finds the highest position reached by at least {@code needed} journals without sorting a copy; there are few
        // peers.
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

    /** Number of peers with a record. */
    int countAt(long seq) {
        return countAt(followers, seq);
    }

    /** Position of a peer; -1 without a report. */
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
