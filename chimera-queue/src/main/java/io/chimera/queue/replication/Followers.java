package io.chimera.queue.replication;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.Roster;
import java.util.Arrays;

/**
 * Durable positions of this node's own stream in the journals of the peers. The replicator's thread reports, the
 * acknowledger's thread reads. A peer keeps its journal while it is down, so a report stays valid until the peer is
 * removed, or until a new session of the peer, maybe with an empty disk, is live. Only registered peers count: a
 * removed peer may not return with its journal, so the journal holds no copy.
 */
public final class Followers {
    private volatile Follower[] followers = new Follower[0];
    private volatile long seenRevision = -1;

    /** Registered peers of the newest followed view; empty if unknown. Used by the reporting thread. */
    private Roster roster = Roster.NONE;

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
                    copy[i] = new Follower(id, session, seq, isRegistered(id));
                    followers = copy;
                }
                return;
            }
        }
        Follower[] more = Arrays.copyOf(known, known.length + 1);
        more[known.length] = new Follower(id, session, seq, isRegistered(id));
        followers = more;
    }

    /**
     * Adapts the reports to a view of the tree: forgets removed peers, and reports of an earlier session of a live
     * peer. A live peer that is not registered keeps its report, which does not count. A view without a connection
     * changes nothing. Called by the reporting thread.
     */
    public void follow(ClusterView view) {
        if (!view.connected()) {
            return;
        }
        roster = view.roster();
        Follower[] current = Arrays.stream(followers)
                .filter(follower -> isCurrent(follower, view))
                .toArray(Follower[]::new);
        for (Follower follower : current) {
            follower.isRegistered = isRegistered(follower.id);
        }
        followers = current;
        seenRevision = view.revision();
    }

    private boolean isCurrent(Follower follower, ClusterView view) {
        return view.queues().stream()
                .filter(member -> member.id().equals(follower.id))
                .findFirst()
                .map(member -> member.session() == follower.session)
                .orElseGet(() -> isRegistered(follower.id));
    }

    private boolean isRegistered(String id) {
        return roster.size() == 0
                || roster.groups().containsKey(id)
                || roster.unknown().contains(id);
    }

    /** Returns the revision of the newest followed view: no removed peer of this view counts. Any thread. */
    long seenRevision() {
        return seenRevision;
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
            if (follower.isRegistered && seq > reached && countAt(known, seq) + (ownSeq >= seq ? 1 : 0) >= needed) {
                reached = seq;
            }
        }
        return reached;
    }

    /** Number of registered peers with a record. */
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
            if (follower.isRegistered && follower.seq >= seq) {
                count++;
            }
        }
        return count;
    }

    private static final class Follower {
        private final String id;
        private final long session;
        private volatile long seq;
        private volatile boolean isRegistered;

        Follower(String id, long session, long seq, boolean isRegistered) {
            this.id = id;
            this.session = session;
            this.seq = seq;
            this.isRegistered = isRegistered;
        }
    }
}
