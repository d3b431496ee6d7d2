package io.chimera.coordinator.conductor;

import io.chimera.coordinator.plan.Candidates;
import io.chimera.coordinator.plan.ConfigurationRollout;
import io.chimera.coordinator.watch.StandstillWatch;

/**
 * State of one term that several rules of the conductor share.
 *
 * @param epoch epoch of the term
 * @param rollout decides the pipelines of new cycles
 * @param candidates selects members for work
 * @param ledger cycles that this term began and verified
 * @param writes outcome of the last write
 * @param standstills receives the reasons why no cycle begins
 */
record TermState(
        long epoch,
        ConfigurationRollout rollout,
        Candidates candidates,
        CycleLedger ledger,
        WriteTracker writes,
        StandstillWatch standstills) {}
