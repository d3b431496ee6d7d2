package io.chimera.archive.query.condition;

import io.chimera.archive.query.condition.Step.Cell;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Facts known about the numbers of a frame at a step, derived from the steps before. Immutable. */
record Facts(Map<Cell, Known> known) {
    static final Facts NONE = new Facts(Map.of());

    /**
     * Facts about one number; the number was read before and is therefore captured.
     *
     * @param min unsigned lower bound
     * @param max unsigned upper bound
     * @param others excluded values
     */
    record Known(long min, long max, Set<Long> others) {
        private static final Known NOTHING = new Known(0, 0xFFFF_FFFFL, Set.of());

        Known with(boolean isRange, long value, boolean holds) {
            if (isRange) {
                return holds
                        ? new Known(Math.max(min, value), max, others)
                        : new Known(min, Math.min(max, value - 1), others);
            }
            if (holds) {
                return new Known(value, value, Set.of());
            }
            Set<Long> more = new HashSet<>(others);
            more.add(value);
            return new Known(min, max, Set.copyOf(more));
        }

        /** Returns null if the outcome is open. */
        @Nullable
        Boolean decides(boolean isRange, long value) {
            if (isRange) {
                return min >= value ? Boolean.TRUE : max < value ? Boolean.FALSE : null;
            }
            if (value < min || value > max || others.contains(value)) {
                return Boolean.FALSE;
            }
            return min == max ? Boolean.TRUE : null;
        }
    }

    /** Returns the outcome of a step; null if open. */
    @Nullable
    Boolean decides(Step step) {
        Known what = step.cell() == null ? null : known.get(step.cell());
        return what == null ? null : what.decides(step.isRange(), Integer.toUnsignedLong(step.value()));
    }

    /** Adds the outcome of a step. */
    Facts behind(Step step, boolean holds) {
        if (step.cell() == null) {
            return this;
        }
        Map<Cell, Known> more = new HashMap<>(known);
        Known before = known.getOrDefault(step.cell(), Known.NOTHING);
        more.put(step.cell(), before.with(step.isRange(), Integer.toUnsignedLong(step.value()), holds));
        return new Facts(Map.copyOf(more));
    }

    /** Restricts the facts to some numbers. */
    Facts of(Set<Cell> cells) {
        if (cells.containsAll(known.keySet())) {
            return this;
        }
        Map<Cell, Known> fewer = new HashMap<>(known);
        fewer.keySet().retainAll(cells);
        return new Facts(Map.copyOf(fewer));
    }
}
