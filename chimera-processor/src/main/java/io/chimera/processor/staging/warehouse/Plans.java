package io.chimera.processor.staging.warehouse;

import io.chimera.api.HotPath;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Maps the values of a record to the fields of a group. A plan is computed by name once per group and set of fields.
 * Plans are stored with the definitions of a transmission and released with them.
 *
 * <pre>
 *   plan    0      4       8        12      16
 *           +------+-------+--------+-------+--------------------
 *           | next | group | fields | count | a field per value
 *           +------+-------+--------+-------+--------------------
 * </pre>
 */
final class Plans {
    static final int FIELDS = 8;
    static final int COUNT = 12;
    static final int VALUES = 16;

    /**
     * Maximum number of plans kept per group, so plans use less memory than the fields of the group. Further sets of
     * fields share a temporary plan.
     */
    static final int PLANS_MAX = 8;

    private static final int NONE = Cells.NONE;
    private static final int NEXT = 0;
    private static final int GROUP = 4;

    private final Cells cells;
    private final Definitions definitions;
    private final Groups groups;

    /**
     * Number of the current generation, incremented when all plans are released; plan numbers of earlier generations in
     * groups are invalid.
     */
    private int generation;

    /** The temporary plan, refilled for groups with too many plans; {@link #passingMax} is its capacity in values. */
    private int passing;

    private int passingMax;

    /**
     * Creates an empty set of plans.
     *
     * @param cells for the plans, and the definitions
     * @param definitions of the sets of fields
     * @param groups groups with the planned fields
     */
    Plans(Cells cells, Definitions definitions, Groups groups) {
        this.cells = cells;
        this.definitions = definitions;
        this.groups = groups;
    }

    /** Returns whether a plan belongs to a group and a set of fields. */
    @HotPath
    boolean isFor(int plan, int group, int fields) {
        UnsafeBuffer chunk = cells.chunk(plan);
        int offset = Cells.offset(plan);
        return chunk.getInt(offset + FIELDS) == fields && chunk.getInt(offset + GROUP) == group;
    }

    /** Returns the plan of a group and a set of fields; NONE when a limit is reached. */
    int of(int group, int fields) {
        int count = 0;
        for (int plan = groups.firstPlan(group, generation); plan != NONE; plan = next(plan)) {
            if (isFor(plan, group, fields)) {
                return plan;
            }
            count++;
        }
        return count < PLANS_MAX ? add(group, fields) : pass(group, fields);
    }

    private int next(int plan) {
        return cells.chunk(plan).getInt(Cells.offset(plan) + NEXT);
    }

    private int add(int group, int fields) {
        int plan = cells.allocate(VALUES + 4 * definitions.fields(fields));
        if (plan == NONE) {
            return NONE;
        }
        cells.chunk(plan).putInt(Cells.offset(plan) + NEXT, groups.firstPlan(group, generation));
        groups.firstPlan(group, generation, plan);
        return fill(plan, group, fields);
    }

    private int pass(int group, int fields) {
        int count = definitions.fields(fields);
        if (count > passingMax) {
            // At least twice the size: all outgrown plans together use less memory than the new plan.
            int max = Math.min(Math.max(count, 2 * passingMax), (Cells.LENGTH_MAX - VALUES) / 4);
            passing = cells.allocate(VALUES + 4 * max);
            if (passing == NONE) {
                return NONE;
            }
            passingMax = max;
        }
        return fill(passing, group, fields);
    }

    private int fill(int plan, int group, int fields) {
        int names = definitions.names(fields);
        if (names == NONE) {
            return NONE;
        }
        UnsafeBuffer chunk = cells.chunk(plan);
        int offset = Cells.offset(plan);
        int count = definitions.fields(fields);
        chunk.putInt(offset + GROUP, group);
        chunk.putInt(offset + FIELDS, fields);
        chunk.putInt(offset + COUNT, count);
        UnsafeBuffer nameChunk = cells.chunk(names);
        int firstName = Cells.offset(names);
        int expected = groups.firstField(group);
        boolean isEachNew = expected == NONE && definitions.isDistinct(fields);
        for (int i = 0; i < count; i++) {
            int name = nameChunk.getInt(firstName + 4 * i);
            int found = isEachNew ? NONE : find(group, expected, name);
            int field = found == NONE ? groups.addField(group, name) : found;
            if (field == NONE) {
                return NONE;
            }
            chunk.putInt(offset + VALUES + 4 * i, field);
            expected = groups.nextField(field);
        }
        return plan;
    }

    /**
     * Finds a field of a group by its name. Senders nearly always keep the order of fields; then the expected field is
     * the right field.
     */
    private int find(int group, int expected, int name) {
        return expected != NONE && groups.name(expected) == name ? expected : groups.findField(group, name);
    }

    /** Invalidates all plans; the caller releases the cells. */
    void forget() {
        generation++;
        passing = NONE;
        passingMax = 0;
    }
}
