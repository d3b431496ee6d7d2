package io.chimera.archive.query.condition;

import io.chimera.archive.query.condition.Condition.Comparison;
import org.jspecify.annotations.Nullable;

/**
 * One step of a program: compares a number and branches.
 *
 * @param cell number to compare; null: the comparison decides
 * @param isRange true for "at least the value", false for "equal to the value"
 * @param value operand of the comparison
 * @param comparison comparison of computed numbers; null: the cell decides
 * @param yes number of the next step on success, or an end
 * @param no number of the next step otherwise
 */
record Step(
        @Nullable Cell cell,
        boolean isRange,
        int value,
        @Nullable Comparison comparison,
        int yes,
        int no) {
    static final int MATCH = -1;

    /** End: the frame does not match. */
    static final int MISS = -2;

    /** Masked bytes of a frame. */
    record Cell(FrameNumber load, int mask) {}

    Step to(int newYes, int newNo) {
        return new Step(cell, isRange, value, comparison, newYes, newNo);
    }
}
