package io.chimera.archive.query;

import io.chimera.archive.query.Condition.Comparison;

/**
 * One step of a program: looks at a number and goes on here or there.
 *
 * @param cell what is looked at; null: the comparison decides
 * @param isRange whether the number has to be at least the value, rather than equal to it
 * @param value beside which it is held
 * @param comparison of computed numbers; null: the cell decides
 * @param yes number of the next step if so, or one of the ends
 * @param no number of the next step if not
 */
record Step(Cell cell, boolean isRange, int value, Comparison comparison, int yes, int no) {
    /** The frame matches. */
    static final int MATCH = -1;

    /** It does not. */
    static final int MISS = -2;

    /** Some bits of some bytes. */
    record Cell(Load load, int mask) {}

    Step to(int newYes, int newNo) {
        return new Step(cell, isRange, value, comparison, newYes, newNo);
    }
}
