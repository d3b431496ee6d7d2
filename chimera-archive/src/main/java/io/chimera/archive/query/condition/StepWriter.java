package io.chimera.archive.query.condition;

import io.chimera.archive.query.condition.Condition.All;
import io.chimera.archive.query.condition.Condition.Any;
import io.chimera.archive.query.condition.Condition.Comparison;
import io.chimera.archive.query.condition.Condition.Constant;
import io.chimera.archive.query.condition.Condition.Hinted;
import io.chimera.archive.query.condition.Condition.Not;
import io.chimera.archive.query.condition.Condition.Shift;
import io.chimera.archive.query.condition.Condition.Test;
import io.chimera.archive.query.condition.Step.Cell;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Translates a condition into steps, from its end to its start, so every step branches to existing steps. */
final class StepWriter {
    private final List<Step> steps = new ArrayList<>();
    private final Map<Step, Integer> numbers = new HashMap<>();

    List<Step> steps() {
        return steps;
    }

    /** Returns the entry step of a condition, for the given targets of success and failure. */
    int write(Condition condition, int yes, int no) {
        if (condition instanceof All all) {
            int next = yes;
            for (int i = all.parts().size() - 1; i >= 0; i--) {
                next = write(all.parts().get(i), next, no);
            }
            return next;
        }
        if (condition instanceof Any any) {
            int next = no;
            for (int i = any.parts().size() - 1; i >= 0; i--) {
                next = write(any.parts().get(i), yes, next);
            }
            return next;
        }
        if (condition instanceof Not not) {
            return write(not.part(), no, yes);
        }
        if (condition instanceof Hinted hinted) {
            return write(hinted.part(), yes, no);
        }
        if (condition instanceof Shift shift) {
            return write(shift.part(), yes, no);
        }
        if (condition instanceof Constant constant) {
            return constant.isTrue() ? yes : no;
        }
        if (condition instanceof Comparison comparison) {
            return add(new Step(null, false, 0, comparison, yes, no));
        }
        return write((Test) condition, yes, no);
    }

    private int write(Test test, int yes, int no) {
        if (test.load().isNowhere()) {
            return Step.MISS;
        }
        int value = test.value();
        return switch (test.relation()) {
            case EQUAL -> add(new Step(new Cell(test.load(), test.mask()), false, value, null, yes, no));
            case GREATER_OR_EQUAL -> add(new Step(new Cell(test.load(), test.mask()), true, value, null, yes, no));
            case GREATER -> {
                boolean isNever = value == -1; // the bytes must still be captured
                int found = isNever ? no : yes;
                yield add(
                        new Step(new Cell(test.load(), test.mask()), true, isNever ? -1 : value + 1, null, found, no));
            }
            case ANY_BIT -> add(new Step(new Cell(test.load(), test.mask() & value), false, 0, null, no, yes));
        };
    }

    /** Returns the number of a step; equal steps share their number. */
    int add(Step step) {
        return numbers.computeIfAbsent(step, missing -> {
            steps.add(missing);
            return steps.size() - 1;
        });
    }
}
