package io.chimera.faults.sim.oracle;

import io.chimera.common.cluster.LowMark;
import io.chimera.coordinator.conductor.AccountDecision;
import io.chimera.faults.sim.world.Violation;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Checks that every point of a cycle is counted, except by a processor that miscounts on purpose. */
public final class AccountOracle {
    /** Cycles with a miscounting processor. */
    private final Set<Long> miscounted = new TreeSet<>();

    private final SortedMap<Long, Long> unaccounted = new TreeMap<>();
    private final Set<Long> acceptedCycles = new TreeSet<>();

    /** Unaccounted points of the accepted cycles below the low-water mark. */
    private final SortedMap<Long, Long> acceptedPoints = new TreeMap<>();

    /** Records that a processor will commit a shard with wrong accounts. */
    public void miscounted(long cycle) {
        miscounted.add(cycle);
    }

    boolean isMiscounted(long cycle) {
        return miscounted.contains(cycle);
    }

    /** Returns the committed cycles with unaccounted points. */
    public List<Long> unaccounted() {
        return List.copyOf(unaccounted.keySet());
    }

    /** Records an operator's decision about a cycle. */
    public void decided(long cycle, AccountDecision decision) {
        if (decision == AccountDecision.ACCEPT) {
            acceptedCycles.add(cycle);
        }
    }

    /** Records that a cycle is processed again. */
    void reopen(long cycle) {
        unaccounted.remove(cycle);
    }

    /** Accounted: checks the totals of a committed cycle. */
    void check(long cycle, LowMark.Totals totals, ExpectedRows expected) {
        if (totals.unaccounted() != 0 && miscounted.contains(cycle)) {
            unaccounted.put(cycle, totals.unaccounted());
            return;
        }
        Violation.unless(
                totals.unaccounted() == 0
                        && totals.filtered() == expected.filtered(cycle)
                        && totals.late() == expected.late(cycle),
                "Accounted",
                () -> String.format(
                        "Cycle %d has %s instead of %d filtered and %d late.",
                        cycle, totals, expected.filtered(cycle), expected.late(cycle)));
    }

    /** Notes that the tree is recovered with an earlier low-water mark: it passes the later cycles once more. */
    void recovered(LowMark low) {
        SortedMap<Long, Long> again = acceptedPoints.tailMap(low.cycle() + 1);
        unaccounted.putAll(again);
        again.clear();
    }

    /** Unaccounted and Accounted: checks that the low-water mark passed only accounted or accepted cycles. */
    void verify(LowMark low) {
        for (long number : List.copyOf(unaccounted.headMap(low.cycle() + 1).keySet())) {
            Violation.unless(
                    acceptedCycles.contains(number),
                    "Unaccounted",
                    () -> String.format(
                            "The low-water mark is %d, but cycle %d has %d unaccounted points and was not accepted.",
                            low.cycle(), number, unaccounted.get(number)));
            acceptedPoints.put(number, unaccounted.remove(number));
        }
        Violation.unless(
                low.totals().unaccounted()
                        == acceptedPoints.values().stream()
                                .mapToLong(points -> points)
                                .sum(),
                "Accounted",
                () -> String.format("The totals are %s.", low.totals()));
    }
}
