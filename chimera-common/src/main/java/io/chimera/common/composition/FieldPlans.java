package io.chimera.common.composition;

import io.chimera.api.HotPath;
import io.chimera.common.wire.FieldsFlyweight;

/**
 * Cache of the plans of recently used field sets; a block may alternate between this number of field sets without a
 * miss. Not thread-safe.
 */
final class FieldPlans {
    private static final int COUNT = 4;

    private final FieldPlan[] plans = new FieldPlan[COUNT];
    private int last;

    FieldPlans() {
        for (int i = 0; i < COUNT; i++) {
            plans[i] = new FieldPlan();
        }
    }

    /** Returns the plan of a field set. */
    @HotPath
    FieldPlan of(FieldsFlyweight fields) {
        for (int i = 0; i < COUNT; i++) {
            FieldPlan plan = plans[(last + i) % COUNT];
            if (plan.isOf(fields)) {
                last = (last + i) % COUNT;
                return plan;
            }
        }
        last = (last + COUNT - 1) % COUNT; // least recently used plan, if the field sets alternate in turn
        plans[last].learn(fields);
        return plans[last];
    }
}
