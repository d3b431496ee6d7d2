package io.chimera.archive.query.condition;

import java.util.ArrayList;
import java.util.List;

/**
 * Condition on a frame. Parts are evaluated in order, with short-circuit. Access to a byte outside the captured part
 * ends the evaluation: the frame does not match, even under a {@code not}. libpcap does the same.
 */
public sealed interface Condition {
    Condition TRUE = new Constant(true);
    Condition FALSE = new Constant(false);

    /** Same result for every frame. */
    record Constant(boolean isTrue) implements Condition {}

    /** Masked number of the frame, compared with a constant. */
    record Test(FrameNumber load, int mask, Relation relation, int value) implements Condition {}

    /** Comparison of two computed numbers. */
    record Comparison(Arithmetic left, Relation relation, Arithmetic right) implements Condition {}

    /** Conjunction. */
    record All(List<Condition> parts) implements Condition {}

    /** Disjunction. */
    record Any(List<Condition> parts) implements Condition {}

    /** Negation. */
    record Not(Condition part) implements Condition {}

    /** Condition with a hint for the index. */
    record Hinted(Condition part, Hint hint) implements Condition {}

    /** Tag, label or session that moves the offsets of the terms to its right in the question; counted from 1. */
    record Shift(Condition part, int ordinal) implements Condition {}

    static Condition all(Condition... parts) {
        List<Condition> flat = new ArrayList<>();
        for (Condition part : parts) {
            if (part instanceof All all) {
                flat.addAll(all.parts());
            } else {
                flat.add(part);
            }
        }
        return new All(List.copyOf(flat));
    }

    static Condition any(Condition... parts) {
        List<Condition> flat = new ArrayList<>();
        for (Condition part : parts) {
            if (part instanceof Any any) {
                flat.addAll(any.parts());
            } else {
                flat.add(part);
            }
        }
        return new Any(List.copyOf(flat));
    }

    /** Combines the conditions for the two ends of a packet. */
    static Condition of(Direction direction, Condition source, Condition destination) {
        return switch (direction) {
            case SOURCE -> source;
            case DESTINATION -> destination;
            case BOTH -> all(source, destination);
            case EITHER -> any(source, destination);
        };
    }

    static Condition equal(FrameNumber load, int value) {
        return new Test(load, -1, Relation.EQUAL, value);
    }

    static Condition masked(FrameNumber load, int mask, int value) {
        return new Test(load, mask, Relation.EQUAL, value);
    }
}
