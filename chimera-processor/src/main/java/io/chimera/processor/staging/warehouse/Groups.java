package io.chimera.processor.staging.warehouse;

import io.chimera.common.wire.AggregateBlock;
import io.chimera.common.wire.GroupKey;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The groups of a warehouse with their fields, in {@link Cells}; a {@link CellTable} finds groups by key.
 *
 * <pre>
 *   group   0      4             8            12           16         24     28           32           36  40
 *           +------+-------------+------------+------------+----------+------+------------+------------+---+-----
 *           | next | first field | last field | key length | key hash | tags | first plan | generation | 0 | key
 *           +------+-------------+------------+------------+----------+------+------------+------------+---+-----
 *   field   0      4      8                72
 *           +------+------+----------------+--------------------+
 *           | next | name | AggregateBlock | 4 bytes per state  |
 *           +------+------+----------------+--------------------+
 * </pre>
 *
 * <p>The states belong to the plugins of the pipeline, then to its sketches. The name of a field is a cell of {@link
 * Names}. A first plan is valid only in its generation of {@link Plans}.
 */
final class Groups {
    static final int KEY_LENGTH = 12;
    static final int KEY = 40;
    static final int BLOCK = 8;
    static final int STATES = BLOCK + AggregateBlock.LENGTH;

    private static final int NONE = Cells.NONE;
    private static final int NEXT = 0;
    private static final int FIRST_FIELD = 4;
    private static final int LAST_FIELD = 8;
    private static final int KEY_HASH = 16;
    private static final int TAG_COUNT = 24;
    private static final int FIRST_PLAN = 28;
    private static final int GENERATION = 32;
    private static final int NAME = 4;

    private final ChunkPool pool;
    private final Cells cells;
    private final CellTable table;
    private final Names names;
    private final int fieldLength;

    private int count;
    private int first;
    private int last;

    Groups(ChunkPool pool, Cells cells, CellTable table, Names names, int states) {
        this.pool = pool;
        this.cells = cells;
        this.table = table;
        this.names = names;
        fieldLength = STATES + 4 * states;
    }

    /** Returns the group with a key, or NONE. */
    int find(long hash, DirectBuffer key, int keyOffset, int length) {
        for (int slot = table.find(hash); slot >= 0; slot = table.findAfter(slot, hash)) {
            int group = table.cell(slot);
            UnsafeBuffer chunk = cells.chunk(group);
            int offset = Cells.offset(group);
            if (chunk.getInt(offset + KEY_LENGTH) == length
                    && ByteRanges.areEqual(key, keyOffset, chunk, offset + KEY, length)) {
                return group;
            }
        }
        return NONE;
    }

    /** Appends a group, immediately before its first record is folded; NONE when a limit is reached. */
    int add(GroupKey key) {
        int group = cells.allocate(KEY + key.length());
        if (group == NONE || !table.makeRoom()) {
            return cells.full();
        }
        if (!pool.addGroup()) {
            return cells.full(pool.groupsLimit());
        }
        UnsafeBuffer chunk = cells.chunk(group);
        int offset = Cells.offset(group);
        chunk.putInt(offset + NEXT, NONE);
        chunk.putInt(offset + FIRST_FIELD, NONE);
        chunk.putInt(offset + LAST_FIELD, NONE);
        chunk.putInt(offset + FIRST_PLAN, NONE);
        chunk.putInt(offset + GENERATION, 0);
        chunk.putInt(offset + KEY_LENGTH, key.length());
        chunk.putLong(offset + KEY_HASH, key.hash());
        chunk.putInt(offset + TAG_COUNT, key.tagCount());
        chunk.putBytes(offset + KEY, key.buffer(), key.offset(), key.length());
        table.put(key.hash(), group);
        append(group);
        return group;
    }

    private void append(int group) {
        if (last == NONE) {
            first = group;
        } else {
            cells.chunk(last).putInt(Cells.offset(last) + NEXT, group);
        }
        last = group;
        count++;
    }

    int count() {
        return count;
    }

    int first() {
        return first;
    }

    int next(int group) {
        return cells.chunk(group).getInt(Cells.offset(group) + NEXT);
    }

    int keyLength(int group) {
        return cells.chunk(group).getInt(Cells.offset(group) + KEY_LENGTH);
    }

    long keyHash(int group) {
        return cells.chunk(group).getLong(Cells.offset(group) + KEY_HASH);
    }

    int tagCount(int group) {
        return cells.chunk(group).getInt(Cells.offset(group) + TAG_COUNT);
    }

    /** Returns the first plan of a group in a generation, or NONE. */
    int firstPlan(int group, int generation) {
        UnsafeBuffer chunk = cells.chunk(group);
        int offset = Cells.offset(group);
        return chunk.getInt(offset + GENERATION) == generation ? chunk.getInt(offset + FIRST_PLAN) : NONE;
    }

    void firstPlan(int group, int generation, int plan) {
        UnsafeBuffer chunk = cells.chunk(group);
        int offset = Cells.offset(group);
        chunk.putInt(offset + GENERATION, generation);
        chunk.putInt(offset + FIRST_PLAN, plan);
    }

    int firstField(int group) {
        return cells.chunk(group).getInt(Cells.offset(group) + FIRST_FIELD);
    }

    int nextField(int field) {
        return cells.chunk(field).getInt(Cells.offset(field) + NEXT);
    }

    /** Returns the field of a group with a name of this warehouse, or NONE. */
    int findField(int group, int name) {
        int field = firstField(group);
        while (field != NONE && name(field) != name) {
            field = nextField(field);
        }
        return field;
    }

    /** Returns the field of a group with a name from elsewhere, or NONE. */
    int findField(int group, DirectBuffer source, int nameOffset, int nameLength) {
        int field = firstField(group);
        while (field != NONE && !names.isEqual(name(field), source, nameOffset, nameLength)) {
            field = nextField(field);
        }
        return field;
    }

    /** Returns the name of a field: a cell of {@link Names}. */
    int name(int field) {
        return cells.chunk(field).getInt(Cells.offset(field) + NAME);
    }

    /** Appends a field to a group; NONE when a limit is reached. */
    int addField(int group, int name) {
        int field = cells.allocate(fieldLength);
        if (field == NONE) {
            return NONE;
        }
        UnsafeBuffer chunk = cells.chunk(field);
        int offset = Cells.offset(field);
        chunk.putInt(offset + NEXT, NONE);
        chunk.putInt(offset + NAME, name);
        AggregateBlock.clear(chunk, offset + BLOCK);
        for (int state = STATES; state < fieldLength; state += Integer.BYTES) {
            chunk.putInt(offset + state, NONE);
        }
        UnsafeBuffer groupChunk = cells.chunk(group);
        int groupOffset = Cells.offset(group);
        int before = groupChunk.getInt(groupOffset + LAST_FIELD);
        if (before == NONE) {
            groupChunk.putInt(groupOffset + FIRST_FIELD, field);
        } else {
            cells.chunk(before).putInt(Cells.offset(before) + NEXT, field);
        }
        groupChunk.putInt(groupOffset + LAST_FIELD, field);
        return field;
    }

    /** Returns the state number of a plugin or sketch for a field; 0 if absent. */
    int stateOf(int field, int index) {
        return cells.chunk(field).getInt(Cells.offset(field) + STATES + 4 * index);
    }

    void stateOf(int field, int index, int state) {
        cells.chunk(field).putInt(Cells.offset(field) + STATES + 4 * index, state);
    }

    void clear() {
        pool.removeGroups(count);
        count = 0;
        first = NONE;
        last = NONE;
    }
}
