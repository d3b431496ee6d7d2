package io.chimera.archive.query.condition;

import io.chimera.api.HotPath;
import io.chimera.archive.query.condition.Arithmetic.Length;
import io.chimera.archive.query.condition.Condition.Comparison;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Filter compiled to a graph of operations: each compares a number of the frame and branches, until an operation
 * decides the result. Immutable; any thread. Linked objects are faster than numbers in an array, because no index check
 * is needed.
 */
public final class Program {
    private final Operation entry;
    private final int steps;

    private Program(Operation entry, int steps) {
        this.entry = entry;
        this.steps = steps;
    }

    /** One step. Fields are written once, before the program is published. */
    private static final class Operation {
        private static final Comparison UNUSED = new Comparison(new Length(), Relation.EQUAL, new Length());
        private static final int MATCH = 0;
        private static final int MISS = 1;
        private static final int LENGTH = 2;
        private static final int BYTE = 3;
        private static final int SHORT = 4;
        private static final int INT = 5;
        private static final int COMPARISON = 6;

        private final int kind;
        private final int at;
        private final int ipv4At;
        private final int mask;
        private final int value;
        private final boolean isRange;
        private final Comparison comparison;
        private final Operation yes;
        private final Operation no;

        private Operation(int end) {
            this(end, FrameNumber.LENGTH, new Step(null, false, 0, null, Step.MISS, Step.MISS), null, null);
        }

        private Operation(int kind, FrameNumber load, Step step, @Nullable Operation yes, @Nullable Operation no) {
            this.kind = kind;
            at = load.at();
            ipv4At = load.ipv4At();
            mask = step.cell() == null ? -1 : step.cell().mask();
            value = step.cell() == null ? 1 : step.value();
            isRange = step.isRange();
            comparison = Objects.requireNonNullElse(step.comparison(), UNUSED);
            this.yes = yes == null ? this : yes; // an end has no successor
            this.no = no == null ? this : no;
        }

        private static Operation of(Step step, Operation yes, Operation no) {
            Step.Cell cell = step.cell();
            return cell == null
                    ? new Operation(COMPARISON, FrameNumber.LENGTH, step, yes, no)
                    : new Operation(kind(cell.load()), cell.load(), step, yes, no);
        }

        private static int kind(FrameNumber load) {
            return switch (load.size()) {
                case 0 -> LENGTH;
                case 1 -> BYTE;
                case 2 -> SHORT;
                default -> INT;
            };
        }
    }

    /** Compiles a condition. */
    public static Program of(Condition condition) {
        StepWriter writer = new StepWriter();
        int entry = writer.write(condition, Step.MATCH, Step.MISS);
        List<Step> saved = StepSaver.save(writer.steps(), entry);
        return saved == null ? of(writer.steps(), entry) : of(saved, saved.size() - 1);
    }

    /** Links the operations; steps branch only to lower numbers. */
    private static Program of(List<Step> steps, int entry) {
        Operation match = new Operation(Operation.MATCH);
        Operation miss = new Operation(Operation.MISS);
        Operation[] operations = new Operation[steps.size()];
        for (int i = 0; i < operations.length; i++) {
            Step step = steps.get(i);
            Operation yes = step.yes() >= 0 ? operations[step.yes()] : step.yes() == Step.MATCH ? match : miss;
            Operation no = step.no() >= 0 ? operations[step.no()] : step.no() == Step.MATCH ? match : miss;
            operations[i] = Operation.of(step, yes, no);
        }
        return new Program(entry >= 0 ? operations[entry] : entry == Step.MATCH ? match : miss, steps.size());
    }

    /** Returns the number of steps. */
    public int steps() {
        return steps;
    }

    /**
     * Returns true if a frame matches.
     *
     * @param array array with the frame; null for a frame at an address
     * @param address address of the first byte
     * @param captured number of captured bytes
     * @param length length of the frame on the wire
     */
    @HotPath
    public boolean matches(byte @Nullable [] array, long address, int captured, int length) {
        Operation operation = entry;
        while (true) {
            int at = operation.at;
            if (operation.ipv4At >= 0) {
                if (operation.ipv4At >= captured) {
                    return false;
                }
                at += FrameBytes.headerLength(array, address + operation.ipv4At);
            }
            int number;
            switch (operation.kind) {
                case Operation.MATCH -> {
                    return true;
                }
                case Operation.MISS -> {
                    return false;
                }
                case Operation.LENGTH -> number = length;
                case Operation.BYTE -> {
                    if (at >= captured) {
                        return false;
                    }
                    number = FrameBytes.u8(array, address + at);
                }
                case Operation.SHORT -> {
                    if (at > captured - 2) {
                        return false;
                    }
                    number = FrameBytes.u16(array, address + at);
                }
                case Operation.INT -> {
                    if (at > captured - 4) {
                        return false;
                    }
                    number = FrameBytes.u32(array, address + at);
                }
                default -> {
                    long holds = holds(operation.comparison, array, address, captured, length);
                    if (holds == Arithmetic.NONE) {
                        return false;
                    }
                    number = (int) holds;
                }
            }
            number &= operation.mask;
            boolean holds = operation.isRange
                    ? Integer.compareUnsigned(number, operation.value) >= 0
                    : number == operation.value;
            operation = holds ? operation.yes : operation.no;
        }
    }

    private static long holds(Comparison comparison, byte @Nullable [] array, long address, int captured, int length) {
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
