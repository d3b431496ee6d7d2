package io.chimera.coordinator.conductor;

import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CycleStore;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.ReplayMark;
import io.chimera.common.cluster.ReplayRequest;
import java.util.Optional;

/** Lets its coordinator lead and read, but refuses every write. */
record RefusingStore(CycleStore store) implements CycleStore {
    @Override
    public ClusterView view() {
        return store.view();
    }

    @Override
    public long epoch() {
        return store.epoch();
    }

    @Override
    public boolean begin(Cycle cycle, Assignment assignment) {
        return false;
    }

    @Override
    public boolean assign(long cycle, Assignment next) {
        return false;
    }

    @Override
    public boolean verify(long cycle, LowMark.Totals accounts) {
        return false;
    }

    @Override
    public boolean reopen(long cycle, Assignment next) {
        return false;
    }

    @Override
    public boolean advance(LowMark mark) {
        return false;
    }

    @Override
    public boolean advanceReplay(ReplayMark mark, Optional<ReplayRequest> request) {
        return false;
    }

    @Override
    public boolean forgetReplay(String request) {
        return false;
    }

    @Override
    public void close() {
        store.close();
    }
}
