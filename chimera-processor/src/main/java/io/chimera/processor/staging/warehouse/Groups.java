package io.chimera.processor.staging.warehouse;

import io.chimera.common.wire.AggregateBlock;
import io.chimera.common.wire.GroupKey;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The groups of a warehouse with their fields, in {@link Cells}; a {@link CellTable} finds groups by key. Groups and
 * fields are numbers, returned in the order of their arrival; {@link Warehouse#NONE} is no group or field. Written by
 * one thread; read by one thread after a handover.
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
public final class Groups {
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
    public int find(long hash, DirectBuffer key, int keyOffset, int length) {
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

    /** Returns the number of groups. */
    public int count() {
        return count;
    }

    /** Returns the first group in the order of arrival. */
    public int first() {
        return first;
    }

    /** Returns the next group in the order of arrival. */
    public int next(int group) {
        return cells.chunk(group).getInt(Cells.offset(group) + NEXT);
    }

    /** Returns the buffer with a group and its key, or with a field. */
    public DirectBuffer buffer(int groupOrField) {
        return cells.chunk(groupOrField);
    }

    /** Returns the index of the group's key in {@link #buffer}. */
    public int keyOffset(int group) {
        return Cells.offset(group) + KEY;
    }

    /** Returns the length of the group's key in bytes. */
    public int keyLength(int group) {
        return cells.chunk(group).getInt(Cells.offset(group) + KEY_LENGTH);
    }

    /** Returns the hash of the group's key. */
    public long keyHash(int group) {
        return cells.chunk(group).getLong(Cells.offset(group) + KEY_HASH);
    }

    /** Returns the number of tags in the group's key. */
    public int tagCount(int group) {
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

    /** Returns the first field of the group in the order of arrival. */
    public int firstField(int group) {
        return cells.chunk(group).getInt(Cells.offset(group) + FIRST_FIELD);
    }

    /** Returns the next field of the same group in the order of arrival. */
    public int nextField(int field) {
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
    public int findField(int group, DirectBuffer source, int nameOffset, int nameLength) {
        int field = firstField(group);
        while (field != NONE && !names.isEqual(name(field), source, nameOffset, nameLength)) {
            field = nextField(field);
        }
        return field;
    }

    /** Returns the buffer with the field's name. */
    public DirectBuffer nameBuffer(int field) {
        return cells.chunk(name(field));
    }

    /** Returns the index of the field's name in {@link #nameBuffer}. */
    public int nameOffset(int field) {
        return Names.offset(name(field));
    }

    /** Returns the length of the field's name in bytes. */
    public int nameLength(int field) {
        return names.length(name(field));
    }

    /** Returns the index of the field's {@link AggregateBlock} in {@link #buffer}. */
    public int blockOffset(int field) {
        return Cells.offset(field) + BLOCK;
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
