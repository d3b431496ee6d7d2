package io.chimera.archive.query;

import java.util.ArrayList;
import java.util.List;

/**
 * What a filter demands of a frame. Parts are looked at in their order and no further than needed. Whoever looks at a byte that was
 * not captured ends the whole: such a frame does not match, be it under a {@code not}. That is how libpcap has it.
 */
sealed interface Condition {
    Condition TRUE = new Constant(true);
    Condition FALSE = new Constant(false);

    /** The same for every frame. */
    record Constant(boolean isTrue) implements Condition {}

    /** A number in the frame, of which some bits count, beside a constant. */
    record Test(Load load, int mask, Relation relation, int value) implements Condition {}

    /** Two numbers that are computed. */
    record Comparison(Arithmetic left, Relation relation, Arithmetic right) implements Condition {}

    /** Every part. */
    record All(List<Condition> parts) implements Condition {}

    /** At least one part. */
    record Any(List<Condition> parts) implements Condition {}

    /** Not so. */
    record Not(Condition part) implements Condition {}

    /** What the index knows of a condition. */
    record Hinted(Condition part, Hint hint) implements Condition {}

    /** A tag, label or session, which moves what stands to its right in the question; they are counted from 1. */
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

    /** Of an address with two ends. */
    static Condition of(Direction direction, Condition source, Condition destination) {
        return switch (direction) {
            case SOURCE -> source;
            case DESTINATION -> destination;
            case BOTH -> all(source, destination);
            case EITHER -> any(source, destination);
        };
    }

    static Condition equal(Load load, int value) {
        return new Test(load, -1, Relation.EQUAL, value);
    }

    static Condition masked(Load load, int mask, int value) {
        return new Test(load, mask, Relation.EQUAL, value);
    }
}
