package io.chimera.archive.query;

import io.chimera.archive.query.Step.Cell;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What is known of the numbers in a frame at some step, by the steps that led there. Immutable. */
record Facts(Map<Cell, Known> known) {
    static final Facts NONE = new Facts(Map.of());

    /**
     * What is known of one number, which was looked at before and so was captured.
     *
     * @param min lowest that it may be, without sign
     * @param max highest
     * @param others that it is not
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

        /** Null: may be so or not. */
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

    /** Which way a step goes; null when that is not known. */
    Boolean decides(Step step) {
        Known what = step.cell() == null ? null : known.get(step.cell());
        return what == null ? null : what.decides(step.isRange(), Integer.toUnsignedLong(step.value()));
    }

    /** With what is known once a step has gone one way. */
    Facts behind(Step step, boolean holds) {
        if (step.cell() == null) {
            return this;
        }
        Map<Cell, Known> more = new HashMap<>(known);
        Known before = known.getOrDefault(step.cell(), Known.NOTHING);
        more.put(step.cell(), before.with(step.isRange(), Integer.toUnsignedLong(step.value()), holds));
        return new Facts(Map.copyOf(more));
    }

    /** Only of some numbers. */
    Facts of(Set<Cell> cells) {
        if (cells.containsAll(known.keySet())) {
            return this;
        }
        Map<Cell, Known> fewer = new HashMap<>(known);
        fewer.keySet().retainAll(cells);
        return new Facts(Map.copyOf(fewer));
    }
}
