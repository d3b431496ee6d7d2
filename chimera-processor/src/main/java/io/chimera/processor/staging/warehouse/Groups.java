package io.chimera.processor.staging.warehouse;

import io.chimera.common.wire.GroupKey;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The groups of a warehouse, each with its fields, in {@link Cells}; groups are found through a {@link CellTable}.
 *
 * <pre>
 *   group   0      4             8            12           16         24     28           32
 *           +------+-------------+------------+------------+----------+------+------------+-----
 *           | next | first field | last field | key length | key hash | tags | first plan | key
 *           +------+-------------+------------+------------+----------+------+------------+-----
 *   field   0      4             8                  72
 *           +------+-------------+------------------+-----------------------------+------
 *           | next | name length | AggregateBlock   | 4 bytes per plugin, pad to 8| name
 *           +------+-------------+------------------+-----------------------------+------
 * </pre>
 *
 * A group that has no field yet has no record either: it is neither shown nor counted.
 */
final class Groups {
    static final int KEY_LENGTH = 12;
    static final int KEY = 32;
    static final int BLOCK = 8;
    static final int STATES = BLOCK + AggregateBlock.LENGTH;

    private static final int NONE = Cells.NONE;
    private static final int NEXT = 0;
    private static final int FIRST_FIELD = 4;
    private static final int LAST_FIELD = 8;
    private static final int KEY_HASH = 16;
    private static final int TAG_COUNT = 24;
    private static final int FIRST_PLAN = 28;
    private static final int NAME_LENGTH = 4;

    private final ChunkPool pool;
    private final Cells cells;
    private final CellTable table;
    private final int name;

    private int count;
    private int first;
    private int last;

    Groups(ChunkPool pool, Cells cells, CellTable table, int plugins) {
        this.pool = pool;
        this.cells = cells;
        this.table = table;
        name = (STATES + 4 * plugins + 7) & ~7;
    }

    /** A group, which has fields or none. */
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

    /** Adds a group without fields; NONE when a limit is reached. */
    int add(GroupKey key) {
        int group = cells.allocate(KEY + key.length());
        if (group == NONE || !table.makeRoom()) {
            return cells.full();
        }
        UnsafeBuffer chunk = cells.chunk(group);
        int offset = Cells.offset(group);
        chunk.setMemory(offset, KEY, (byte) 0);
        chunk.putInt(offset + KEY_LENGTH, key.length());
        chunk.putLong(offset + KEY_HASH, key.hash());
        chunk.putInt(offset + TAG_COUNT, key.tagCount());
        chunk.putBytes(offset + KEY, key.buffer(), key.offset(), key.length());
        table.put(key.hash(), group);
        return group;
    }

    /** Puts a group that has no fields yet behind all others; false when the limit is reached. */
    boolean show(int group) {
        if (!pool.addGroup()) {
            cells.full(pool.groupsLimit());
            return false;
        }
        count++;
        if (last == NONE) {
            first = group;
        } else {
            cells.chunk(last).putInt(Cells.offset(last) + NEXT, group);
        }
        last = group;
        return true;
    }

    /** Number of groups that are shown. */
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

    int firstPlan(int group) {
        return cells.chunk(group).getInt(Cells.offset(group) + FIRST_PLAN);
    }

    void firstPlan(int group, int plan) {
        cells.chunk(group).putInt(Cells.offset(group) + FIRST_PLAN, plan);
    }

    int firstField(int group) {
        return cells.chunk(group).getInt(Cells.offset(group) + FIRST_FIELD);
    }

    int nextField(int field) {
        return cells.chunk(field).getInt(Cells.offset(field) + NEXT);
    }

    /** Field of a group with a name, or NONE. */
    int findField(int group, DirectBuffer source, int nameOffset, int nameLength) {
        int field = firstField(group);
        while (field != NONE && !isNamed(field, source, nameOffset, nameLength)) {
            field = nextField(field);
        }
        return field;
    }

    boolean isNamed(int field, DirectBuffer source, int nameOffset, int nameLength) {
        if (field == NONE) {
            return false;
        }
        UnsafeBuffer chunk = cells.chunk(field);
        int offset = Cells.offset(field);
        return chunk.getInt(offset + NAME_LENGTH) == nameLength
                && ByteRanges.areEqual(source, nameOffset, chunk, offset + name, nameLength);
    }

    /** Adds a field behind the others of a group; NONE when a limit is reached. */
    int addField(int group, DirectBuffer source, int nameOffset, int nameLength) {
        int field = cells.allocate(name + nameLength);
        if (field == NONE) {
            return NONE;
        }
        UnsafeBuffer chunk = cells.chunk(field);
        int offset = Cells.offset(field);
        chunk.setMemory(offset, name, (byte) 0);
        chunk.putInt(offset + NAME_LENGTH, nameLength);
        chunk.putBytes(offset + name, source, nameOffset, nameLength);
        AggregateBlock.clear(chunk, offset + BLOCK);
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

    int nameOffset(int field) {
        return Cells.offset(field) + name;
    }

    int nameLength(int field) {
        return cells.chunk(field).getInt(Cells.offset(field) + NAME_LENGTH);
    }

    /** What the field remembers of a plugin's state; 0 when there is none. */
    int stateOf(int field, int plugin) {
        return cells.chunk(field).getInt(Cells.offset(field) + STATES + 4 * plugin);
    }

    void stateOf(int field, int plugin, int state) {
        cells.chunk(field).putInt(Cells.offset(field) + STATES + 4 * plugin, state);
    }

    void clear() {
        pool.removeGroups(count);
        count = 0;
        first = NONE;
        last = NONE;
    }
}
