package io.chimera.archive.query;

import io.chimera.api.HotPath;
import io.chimera.archive.query.Condition.Comparison;
import java.util.ArrayList;
import java.util.List;

/**
 * A filter as numbers that are stepped through. Immutable; any thread. Each step is eight numbers:
 *
 * <pre>
 *   0: what is loaded (twice its kind), and whether it has to be at least the value (1)
 *   1: index of the first byte          2: index of the IPv4 header, or number of the comparison
 *   3: mask      4: value      5: where to go if so      6: where to go if not      7: unused
 * </pre>
 */
final class Program {
    private static final int STRIDE = 8;
    private static final int AT = 1;
    private static final int HEADER_AT = 2;
    private static final int MASK = 3;
    private static final int VALUE = 4;
    private static final int YES = 5;
    private static final int NO = 6;

    private static final int LENGTH = 0;
    private static final int BYTE = 1;
    private static final int SHORT = 2;
    private static final int INT = 3;
    private static final int COMPARISON = 7;
    /** Added to the above: behind the header of IPv4. */
    private static final int BEHIND = 3;

    private final int[] code;
    private final Comparison[] comparisons;
    private final int entry;

    private Program(int[] code, Comparison[] comparisons, int entry) {
        this.code = code;
        this.comparisons = comparisons;
        this.entry = entry;
    }

    /** The program of a condition. */
    static Program of(Condition condition) {
        StepWriter writer = new StepWriter();
        int entry = writer.write(condition, Step.MATCH, Step.MISS);
        List<Step> saved = StepSaver.save(writer.steps(), entry);
        return saved == null ? of(writer.steps(), entry) : of(saved, saved.size() - 1);
    }

    private static Program of(List<Step> steps, int entry) {
        int[] code = new int[steps.size() * STRIDE];
        List<Comparison> comparisons = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            int at = i * STRIDE;
            code[at + MASK] = -1;
            code[at + VALUE] = step.value();
            code[at + YES] = place(step.yes());
            code[at + NO] = place(step.no());
            if (step.cell() == null) {
                code[at] = COMPARISON << 1;
                code[at + VALUE] = 1;
                code[at + HEADER_AT] = comparisons.size();
                comparisons.add(step.comparison());
            } else {
                Load load = step.cell().load();
                code[at] = kind(load) << 1 | (step.isRange() ? 1 : 0);
                code[at + AT] = load.at();
                code[at + HEADER_AT] = load.ipv4At();
                code[at + MASK] = step.cell().mask();
            }
        }
        return new Program(code, comparisons.toArray(Comparison[]::new), place(entry));
    }

    private static int place(int step) {
        return step < 0 ? step : step * STRIDE;
    }

    private static int kind(Load load) {
        int kind =
                switch (load.size()) {
                    case 0 -> LENGTH;
                    case 1 -> BYTE;
                    case 2 -> SHORT;
                    default -> INT;
                };
        return load.ipv4At() == Load.FIXED ? kind : kind + BEHIND;
    }

    /** Number of steps, for tests. */
    int steps() {
        return code.length / STRIDE;
    }

    /**
     * Whether a frame matches.
     *
     * @param array it is in; null: it is at an address
     * @param address of its first byte
     * @param captured bytes there
     * @param length bytes that were on the wire
     */
    @HotPath
    boolean matches(byte[] array, long address, int captured, int length) {
        int place = entry;
        while (place >= 0) {
            int operation = code[place];
            int at = code[place + AT];
            int number;
            switch (operation >> 1) {
                case LENGTH -> number = length;
                case BYTE -> {
                    if (at >= captured) {
                        return false;
                    }
                    number = FrameBytes.u8(array, address + at);
                }
                case SHORT -> {
                    if (at > captured - 2) {
                        return false;
                    }
                    number = FrameBytes.u16(array, address + at);
                }
                case INT -> {
                    if (at > captured - 4) {
                        return false;
                    }
                    number = FrameBytes.u32(array, address + at);
                }
                case COMPARISON -> {
                    long holds = holds(comparisons[code[place + HEADER_AT]], array, address, captured, length);
                    if (holds == Arithmetic.NONE) {
                        return false;
                    }
                    number = (int) holds;
                }
                default -> {
                    int headerAt = code[place + HEADER_AT];
                    int size = 1 << ((operation >> 1) - BEHIND - 1);
                    if (headerAt >= captured) {
                        return false;
                    }
                    int behind = at + FrameBytes.headerLength(array, address + headerAt);
                    if (behind > captured - size) {
                        return false;
                    }
                    number = load(array, address + behind, size);
                }
            }
            number &= code[place + MASK];
            boolean holds = (operation & 1) == 0
                    ? number == code[place + VALUE]
                    : Integer.compareUnsigned(number, code[place + VALUE]) >= 0;
            place = code[holds ? place + YES : place + NO];
        }
        return place == Step.MATCH;
    }

    private static int load(byte[] array, long address, int size) {
        return switch (size) {
            case 1 -> FrameBytes.u8(array, address);
            case 2 -> FrameBytes.u16(array, address);
            default -> FrameBytes.u32(array, address);
        };
    }

    private static long holds(Comparison comparison, byte[] array, long address, int captured, int length) {
        long left = comparison.left().value(array, address, captured, length);
        if (left == Arithmetic.NONE) {
            return Arithmetic.NONE;
        }
        long right = comparison.right().value(array, address, captured, length);
        if (right == Arithmetic.NONE) {
            return Arithmetic.NONE;
        }
        return comparison.relation().holds((int) left, (int) right) ? 1 : 0;
    }
}
