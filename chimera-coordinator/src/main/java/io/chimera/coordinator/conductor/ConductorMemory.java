package io.chimera.coordinator.conductor;

import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.metrics.CoordinatorCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.coordinator.watch.ExcludedMembers;
import io.chimera.coordinator.watch.KnownMembers;

/**
 * State of a conductor that outlives its terms: reports, the status, and the requests of operators. No successor needs
 * this state. Used by the conductor's thread; {@link #decisions}, {@link #wanted} and {@link #want} any thread.
 */
final class ConductorMemory {
    private final CommittedCycles committed = new CommittedCycles();
    private final KnownMembers members = new KnownMembers();
    private final ExcludedMembers excluded;
    private final AccountDecisions decisions = new AccountDecisions();
    private volatile ConfigurationDigest wanted;

    ConductorMemory(ConfigurationDigest wanted, Counters<CoordinatorCounter> counters) {
        this.wanted = wanted;
        excluded = new ExcludedMembers(counters);
    }

    CommittedCycles committed() {
        return committed;
    }

    KnownMembers members() {
        return members;
    }

    ExcludedMembers excluded() {
        return excluded;
    }

    AccountDecisions decisions() {
        return decisions;
    }

    /** Returns the digest of this coordinator's own configuration. Any thread. */
    ConfigurationDigest wanted() {
        return wanted;
    }

    /** Sets the configuration of this coordinator after a reload. Any thread. */
    void want(ConfigurationDigest digest) {
        wanted = digest;
    }
}
