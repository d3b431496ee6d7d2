package io.chimera.processor.staging.warehouse;

import io.chimera.api.HotPath;
import io.chimera.common.wire.FieldsFlyweight;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Which field of a group each value of a record goes to, found out by name once per group and set of fields.
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

    /** Plans kept of a group: so they take less than its fields do. Further sets of fields share one that passes. */
    static final int PLANS_MAX = 8;

    private static final int NONE = Cells.NONE;
    private static final int NEXT = 0;
    private static final int GROUP = 4;

    private final Cells cells;
    private final Definitions definitions;
    private final Groups groups;
    private final FieldsFlyweight names = new FieldsFlyweight();

    /** The plan that is made anew for whatever group has too many; room for so many values. */
    private int passing;

    private int passingMax;

    Plans(Cells cells, Definitions definitions, Groups groups) {
        this.cells = cells;
        this.definitions = definitions;
        this.groups = groups;
    }

    /** Whether a plan is that of a group and a set of fields. */
    @HotPath
    boolean isFor(int plan, int group, int fields) {
        UnsafeBuffer chunk = cells.chunk(plan);
        int offset = Cells.offset(plan);
        return chunk.getInt(offset + FIELDS) == fields && chunk.getInt(offset + GROUP) == group;
    }

    /** The plan of a group, which is shown from now on, and a set of fields; NONE when a limit is reached. */
    int of(int group, int fields) {
        int count = 0;
        for (int plan = groups.firstPlan(group); plan != NONE; plan = next(plan)) {
            if (isFor(plan, group, fields)) {
                return plan;
            }
            count++;
        }
        if (count == 0 && !groups.show(group)) {
            return NONE;
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
        cells.chunk(plan).putInt(Cells.offset(plan) + NEXT, groups.firstPlan(group));
        groups.firstPlan(group, plan);
        return fill(plan, group, fields);
    }

    private int pass(int group, int fields) {
        int count = definitions.fields(fields);
        if (count > passingMax) {
            // twice as much as before: all that became too small take less than this one
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
        UnsafeBuffer chunk = cells.chunk(plan);
        int offset = Cells.offset(plan);
        names.wrap(cells.chunk(fields), Definitions.definition(fields));
        chunk.putInt(offset + GROUP, group);
        chunk.putInt(offset + FIELDS, fields);
        chunk.putInt(offset + COUNT, names.count());
        int name = names.first();
        int expected = groups.firstField(group);
        for (int i = 0; i < names.count(); i++) {
            int field = field(group, expected, names.buffer(), names.name(name), names.nameLength(name));
            if (field == NONE) {
                return NONE;
            }
            chunk.putInt(offset + VALUES + 4 * i, field);
            expected = groups.nextField(field);
            name = names.next(name);
        }
        return plan;
    }

    /** A field of a group, a new one at first; senders keep to one order nearly always: then the guess is right. */
    private int field(int group, int expected, DirectBuffer source, int nameOffset, int nameLength) {
        if (groups.isNamed(expected, source, nameOffset, nameLength)) {
            return expected;
        }
        int found = groups.findField(group, source, nameOffset, nameLength);
        return found == NONE ? groups.addField(group, source, nameOffset, nameLength) : found;
    }

    void clear() {
        passing = NONE;
        passingMax = 0;
    }
}
