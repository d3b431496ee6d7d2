package io.chimera.faults.sim.fault;

import io.chimera.faults.sim.oracle.SimOracle;
import io.chimera.faults.sim.world.SimLayout;
import io.chimera.faults.sim.world.SimStores;
import io.chimera.faults.sim.world.Timetable;
import io.chimera.testkit.store.MemoryStore;
import java.util.SplittableRandom;

/** Faults of the stores: the first store may have any fault, the second only refuses everything for a while. */
final class StoreFaults {
    private static final long MS = 1_000_000;

    private final ActiveFaults active;
    private final Timetable timetable;
    private final SimStores stores;
    private final MemoryStore store;
    private final SimOracle oracle;
    private final SplittableRandom random;

    StoreFaults(ActiveFaults active, Timetable timetable, SimStores stores, SimOracle oracle) {
        this.active = active;
        this.timetable = timetable;
        this.stores = stores;
        store = stores.first();
        this.oracle = oracle;
        random = timetable.random();
        healStore();
    }

    boolean store(MemoryStore.Outcome... faults) {
        active.noteOutside("store: " + faults[0]);
        int oneIn = 1 + random.nextInt(3);
        answers(oneIn, faults);
        store.failBatches(() -> random.nextInt(4 * oneIn) == 0); // only of stores that write shards as a whole
        active.lasting(100 + random.nextLong(8_000), this::healStore);
        return true;
    }

    boolean refuses(int oneIn) {
        active.noteOutside("store: refuses one batch in " + oneIn);
        answers(oneIn, MemoryStore.Outcome.REFUSED);
        active.lasting(100 + random.nextLong(8_000), this::healStore);
        return true;
    }

    boolean secondRefuses() {
        active.noteOutside("second store: refuses everything");
        stores.second().outcomes(() -> MemoryStore.Outcome.REFUSED);
        active.lasting(100 + random.nextLong(8_000), () -> stores.second().outcomes(() -> MemoryStore.Outcome.WRITTEN));
        return true;
    }

    private void healStore() {
        answers(1, MemoryStore.Outcome.WRITTEN);
        store.failBatches(() -> false);
    }

    private void answers(int oneIn, MemoryStore.Outcome... outcomes) {
        store.outcomes(() -> {
            MemoryStore.Outcome outcome = random.nextInt(oneIn) == 0
                    ? outcomes[random.nextInt(outcomes.length)]
                    : MemoryStore.Outcome.WRITTEN;
            if (outcome == MemoryStore.Outcome.LATE || outcome == MemoryStore.Outcome.LATE_BUT_FAILED) {
                timetable.in(random.nextLong(9_000 * MS), this::applyLate);
            }
            if (outcome == MemoryStore.Outcome.WRITTEN || outcome == MemoryStore.Outcome.LATE) {
                oracle.acknowledgedRows(SimLayout.FIRST);
            }
            return outcome;
        });
    }

    private void applyLate() {
        boolean again = random.nextInt(3) == 0;
        store.applyLate(random.nextInt(store.late()), again);
        if (again) {
            timetable.in(random.nextLong(3_000 * MS), this::applyLate);
        }
    }
}
