package io.chimera.archive.query.condition;

/** Comparison of two unsigned 32-bit numbers. */
public enum Relation {
    EQUAL,
    GREATER,
    GREATER_OR_EQUAL,
    /** The numbers share at least one bit. */
    ANY_BIT;

    public boolean holds(int left, int right) {
        return switch (this) {
            case EQUAL -> left == right;
            case GREATER -> Integer.compareUnsigned(left, right) > 0;
            case GREATER_OR_EQUAL -> Integer.compareUnsigned(left, right) >= 0;
            case ANY_BIT -> (left & right) != 0;
        };
    }
}
