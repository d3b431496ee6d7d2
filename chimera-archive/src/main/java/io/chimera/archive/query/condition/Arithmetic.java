package io.chimera.archive.query.condition;

import io.chimera.api.HotPath;
import org.jspecify.annotations.Nullable;

/** Number computed from a frame: 32 bits, unsigned, with wrap-around. */
public sealed interface Arithmetic {
    /** Marker for a missing number: a byte was not captured, or a divisor was 0. Such a frame does not match. */
    long NONE = -1;

    /**
     * Computes the number.
     *
     * @param array array with the frame; null for a frame at an address
     * @param address address of the first byte
     * @param captured number of captured bytes
     * @param length length of the frame on the wire
     * @return the number, or {@link #NONE}
     */
    @HotPath
    long value(byte @Nullable [] array, long address, int captured, int length);

    /** Constant. */
    record Literal(int number) implements Arithmetic {
        @Override
        public long value(byte @Nullable [] array, long address, int captured, int length) {
            return Integer.toUnsignedLong(number);
        }
    }

    /** Length on the wire. */
    record Length() implements Arithmetic {
        @Override
        public long value(byte @Nullable [] array, long address, int captured, int length) {
            return Integer.toUnsignedLong(length);
        }
    }

    /**
     * Bytes of the frame.
     *
     * @param base start of the header, and number of bytes
     * @param index offset from the start of the header
     */
    record Cell(FrameNumber base, Arithmetic index) implements Arithmetic {
        @Override
        public long value(byte @Nullable [] array, long address, int captured, int length) {
            long at = index.value(array, address, captured, length);
            if (at == NONE || base.isNowhere()) {
                return NONE;
            }
            if (base.ipv4At() != FrameNumber.FIXED) {
                if (base.ipv4At() >= captured) {
                    return NONE;
                }
                at = (at + FrameBytes.headerLength(array, address + base.ipv4At())) & 0xFFFF_FFFFL;
            }
            at += base.at();
            if (at > captured - base.size()) {
                return NONE;
            }
            return switch (base.size()) {
                case 1 -> FrameBytes.u8(array, address + at);
                case 2 -> FrameBytes.u16(array, address + at);
                default -> Integer.toUnsignedLong(FrameBytes.u32(array, address + at));
            };
        }
    }

    /** Two numbers joined by an operator. */
    record Joined(Operator operator, Arithmetic left, Arithmetic right) implements Arithmetic {
        @Override
        public long value(byte @Nullable [] array, long address, int captured, int length) {
            long first = left.value(array, address, captured, length);
            if (first == NONE) {
                return NONE;
            }
            long second = right.value(array, address, captured, length);
            return second == NONE ? NONE : operator.join((int) first, (int) second);
        }
    }

    /** Operator between two numbers. */
    enum Operator {
        OR("|", 1),
        AND("&", 2),
        SHIFT_LEFT("<<", 3),
        SHIFT_RIGHT(">>", 3),
        PLUS("+", 4),
        MINUS("-", 4),
        TIMES("*", 5),
        DIVIDED("/", 5),
        /** Without a rank in libpcap's grammar: the right operand extends as far as possible. */
        MODULO("%", UNRANKED),
        XOR("^", UNRANKED);

        private final String symbol;
        private final int rank;

        Operator(String symbol, int rank) {
            this.symbol = symbol;
            this.rank = rank;
        }

        /** Returns null for an unknown symbol. */
        public static @Nullable Operator of(String symbol) {
            for (Operator operator : values()) {
                if (operator.symbol.equals(symbol)) {
                    return operator;
                }
            }
            return null;
        }

        /** Returns the precedence; a higher rank binds tighter. */
        public int rank() {
            return rank;
        }

        /** Returns {@link #NONE} for a division by 0. */
        @HotPath
        public long join(int left, int right) {
            int joined =
                    switch (this) {
                        case OR -> left | right;
                        case AND -> left & right;
                        case XOR -> left ^ right;
                        case PLUS -> left + right;
                        case MINUS -> left - right;
                        case TIMES -> left * right;
                        case SHIFT_LEFT -> (right & ~31) == 0 ? left << right : 0;
                        case SHIFT_RIGHT -> (right & ~31) == 0 ? left >>> right : 0;
                        case DIVIDED -> right == 0 ? 0 : Integer.divideUnsigned(left, right);
                        case MODULO -> right == 0 ? 0 : Integer.remainderUnsigned(left, right);
                    };
            boolean isDivision = this == DIVIDED || this == MODULO;
            return isDivision && right == 0 ? NONE : Integer.toUnsignedLong(joined);
        }
    }

    /** Rank of operators without a rank. */
    int UNRANKED = Integer.MAX_VALUE;
}
