package io.chimera.coordinator.conductor;

import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CycleStore;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.ReplayMark;
import io.chimera.common.cluster.ReplayRequest;
import java.util.Optional;

/** Lets its coordinator lead and write, but always shows the same view. */
record StaleStore(CycleStore store, ClusterView view) implements CycleStore {
    @Override
    public long epoch() {
        return store.epoch();
    }

    @Override
    public boolean begin(Cycle cycle, Assignment assignment) {
        return store.begin(cycle, assignment);
    }

    @Override
    public boolean assign(long cycle, Assignment next) {
        return store.assign(cycle, next);
    }

    @Override
    public boolean verify(long cycle, LowMark.Totals accounts) {
        return store.verify(cycle, accounts);
    }

    @Override
    public boolean reopen(long cycle, Assignment next) {
        return store.reopen(cycle, next);
    }

    @Override
    public boolean advance(LowMark mark) {
        return store.advance(mark);
    }

    @Override
    public boolean advanceReplay(ReplayMark mark, Optional<ReplayRequest> request) {
        return store.advanceReplay(mark, request);
    }

    @Override
    public boolean forgetReplay(String request) {
        return store.forgetReplay(request);
    }

    @Override
    public void close() {
        store.close();
    }
}
