package io.chimera.coordinator.zookeeper;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Decides which claims of a node's id are counted and logged: each claimant once, and at most one log line per interval
 * for all claimants together. One thread.
 */
final class ClaimLog {
    /** Maximum number of known claimants. After an eviction, the oldest claimant counts as new again. */
    static final int CLAIMANTS_MAX = 256;

    private final long everyNs;
    private final Set<String> claimants = new LinkedHashSet<>();
    private boolean hasLogged;
    private long loggedAtNs;

    /** Creates a log without known claimants; everyNs is the minimum time between two log lines. */
    ClaimLog(long everyNs) {
        this.everyNs = everyNs;
    }

    /** Returns whether a claimant is unknown, and remembers the claimant. */
    boolean isNewClaimant(String claimant) {
        if (!claimants.add(claimant)) {
            return false;
        }
        if (claimants.size() > CLAIMANTS_MAX) {
            claimants.remove(claimants.iterator().next());
        }
        return true;
    }

    /** Returns whether a claim may be logged now; the caller then logs the claim. */
    boolean isLogDue(long nowNs) {
        if (hasLogged && nowNs - loggedAtNs < everyNs) {
            return false;
        }
        hasLogged = true;
        loggedAtNs = nowNs;
        return true;
    }
}
