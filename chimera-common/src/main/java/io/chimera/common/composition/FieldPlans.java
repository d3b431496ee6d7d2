package io.chimera.common.composition;

import io.chimera.api.HotPath;
import io.chimera.common.wire.FieldsFlyweight;

/** The plans of the sets of fields that points had last: as many as a block may be given in turn. Not thread-safe. */
final class FieldPlans {
    private static final int COUNT = 4;

    private final FieldPlan[] plans = new FieldPlan[COUNT];
    private int last;

    FieldPlans() {
        for (int i = 0; i < COUNT; i++) {
            plans[i] = new FieldPlan();
        }
    }

    /** The plan of a set. */
    @HotPath
    FieldPlan of(FieldsFlyweight fields) {
        for (int i = 0; i < COUNT; i++) {
            FieldPlan plan = plans[(last + i) % COUNT];
            if (plan.isOf(fields)) {
                last = (last + i) % COUNT;
                return plan;
            }
        }
        last = (last + COUNT - 1) % COUNT; // the one that was not asked for longest, where they come in turn
        plans[last].learn(fields);
        return plans[last];
    }
}
