package io.chimera.archive.query;

/** How two numbers of 32 bits without sign compare. */
enum Relation {
    EQUAL,
    GREATER,
    GREATER_OR_EQUAL,
    /** They have a bit in common. */
    ANY_BIT;

    boolean holds(int left, int right) {
        return switch (this) {
            case EQUAL -> left == right;
            case GREATER -> Integer.compareUnsigned(left, right) > 0;
            case GREATER_OR_EQUAL -> Integer.compareUnsigned(left, right) >= 0;
            case ANY_BIT -> (left & right) != 0;
        };
    }
}
