package io.chimera.processor.staging.warehouse;

import io.chimera.api.HotPath;
import io.chimera.api.model.FieldType;
import io.chimera.common.wire.GroupKey;
import io.chimera.common.wire.RecordDecoder;
import io.chimera.common.wire.RecordFlyweight;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What the warehouses on and off the heap have in common: cells in chunks, found through a {@link GroupTable}. Where the
 * chunks lie is the pool's choice; where the states of aggregator plugins lie is that of the class below.
 *
 * <pre>
 *   group   0      4             8            12           16         24      28   32
 *           +------+-------------+------------+------------+----------+-------+----+-----
 *           | next | first field | last field | key length | key hash | tags  | 0  | key
 *           +------+-------------+------------+------------+----------+-------+----+-----
 *   field   0      4             8                  72
 *           +------+-------------+------------------+-----------------------------+------
 *           | next | name length | AggregateBlock   | 4 bytes per plugin, pad to 8| name
 *           +------+-------------+------------------+-----------------------------+------
 * </pre>
 *
 * A cell is named by its place: 8-byte words from the start of the first chunk. Word 0 is nobody's.
 */
abstract class ChunkedWarehouse implements Warehouse {
    private static final int WORDS_SHIFT = ChunkPool.CHUNK_SHIFT - 3;
    private static final int WORDS_MASK = (1 << WORDS_SHIFT) - 1;

    /** With more chunks the place of a cell would not fit an int. */
    private static final int CHUNKS_MAX = 1 << (31 - WORDS_SHIFT);

    private static final int NEXT = 0;
    private static final int FIRST_FIELD = 4;
    private static final int LAST_FIELD = 8;
    private static final int KEY_LENGTH = 12;
    private static final int KEY_HASH = 16;
    private static final int TAG_COUNT = 24;
    private static final int KEY = 32;

    private static final int NAME_LENGTH = 4;
    private static final int BLOCK = 8;
    private static final int STATES = BLOCK + AggregateBlock.LENGTH;

    final Plugins plugins;
    final ChunkPool pool;
    private final int name;
    private final GroupTable table;

    private UnsafeBuffer[] chunks = new UnsafeBuffer[4];
    private int chunkCount;
    private int position;
    private int firstGroup;
    private int lastGroup;
    private String fullBecause = "";

    ChunkedWarehouse(ChunkPool pool, Plugins plugins) {
        this.pool = pool;
        this.plugins = plugins;
        name = align(STATES + 4 * plugins.count());
        table = new GroupTable(pool);
    }

    @Override
    @HotPath
    public final boolean fold(RecordFlyweight record, GroupKey key) {
        int group = findGroup(key.hash(), key.buffer(), key.offset(), key.length());
        if (group == NONE) {
            group = addGroup(key);
            if (group == NONE) {
                return false;
            }
        }
        DirectBuffer source = record.buffer();
        int field = record.firstField();
        int expected = firstField(group);
        for (int i = record.fieldCount(); i > 0; i--) {
            int nameOffset = record.fieldName(field);
            int nameLength = record.fieldNameLength(field);
            // senders name the fields of a series in one order nearly always: then the first guess is right
            int cell = isNamed(expected, source, nameOffset, nameLength)
                    ? expected
                    : findField(group, source, nameOffset, nameLength);
            if (cell == NONE) {
                cell = addField(group, source, nameOffset, nameLength);
            }
            if (cell == NONE || !foldValue(cell, record, field)) {
                return false;
            }
            expected = nextField(cell);
            field = record.nextField(field);
        }
        return true;
    }

    private boolean foldValue(int cell, RecordFlyweight record, int field) {
        UnsafeBuffer chunk = chunk(cell);
        int block = offset(cell) + BLOCK;
        if (record.fieldType(field) == FieldType.TEXT.code()) {
            AggregateBlock.foldText(chunk, block);
            return true;
        }
        double value = record.fieldAsDouble(field);
        AggregateBlock.fold(chunk, block, value);
        return plugins.count() == 0 || foldStates(cell, value, record.timeNs());
    }

    /** Lets every plugin take a number; false when a limit is reached. */
    abstract boolean foldStates(int field, double value, long timeNs);

    @Override
    public final void rehearse(RecordFlyweight record, GroupKey key) {
        int group = findGroup(key.hash(), key.buffer(), key.offset(), key.length());
        Map<String, Object[]> copies = new HashMap<>(); // a record may have two fields of one name
        DirectBuffer source = record.buffer();
        int field = record.firstField();
        for (int i = record.fieldCount(); i > 0; i--) {
            if (record.fieldType(field) != FieldType.TEXT.code()) {
                int nameOffset = record.fieldName(field);
                int nameLength = record.fieldNameLength(field);
                int cell = group == NONE ? NONE : findField(group, source, nameOffset, nameLength);
                Object[] states = copies.computeIfAbsent(
                        RecordDecoder.text(source, nameOffset, nameLength), name -> copyStates(cell));
                for (int plugin = 0; plugin < states.length; plugin++) {
                    plugins.folding(plugin).fold(states[plugin], record.fieldAsDouble(field), record.timeNs());
                    rehearseKeeping(plugin, states[plugin]);
                }
            }
            field = record.nextField(field);
        }
    }

    private Object[] copyStates(int field) {
        Object[] copies = new Object[plugins.count()];
        for (int plugin = 0; plugin < copies.length; plugin++) {
            boolean isNew = field == NONE || stateOf(field, plugin) == NONE;
            copies[plugin] = isNew ? plugins.folding(plugin).create() : copyState(field, plugin);
        }
        return copies;
    }

    /** A copy of a plugin's state, made with the instance that folds. */
    abstract Object copyState(int field, int plugin);

    /** Throws what {@link #foldStates} would throw at keeping a state. */
    abstract void rehearseKeeping(int plugin, Object state);

    private int addGroup(GroupKey key) {
        int group = allocate(KEY + key.length());
        if (group == NONE || !table.makeRoom()) {
            full();
            return NONE;
        }
        if (!pool.addGroup()) {
            fullBecause = pool.groupsLimit();
            return NONE;
        }
        UnsafeBuffer chunk = chunk(group);
        int offset = offset(group);
        chunk.putInt(offset + NEXT, NONE);
        chunk.putInt(offset + FIRST_FIELD, NONE);
        chunk.putInt(offset + LAST_FIELD, NONE);
        chunk.putInt(offset + KEY_LENGTH, key.length());
        chunk.putLong(offset + KEY_HASH, key.hash());
        chunk.putInt(offset + TAG_COUNT, key.tagCount());
        chunk.putBytes(offset + KEY, key.buffer(), key.offset(), key.length());
        table.put(key.hash(), group);
        if (lastGroup == NONE) {
            firstGroup = group;
        } else {
            chunk(lastGroup).putInt(offset(lastGroup) + NEXT, group);
        }
        lastGroup = group;
        return group;
    }

    private int addField(int group, DirectBuffer source, int nameOffset, int nameLength) {
        int field = allocate(name + nameLength);
        if (field == NONE) {
            full();
            return NONE;
        }
        UnsafeBuffer chunk = chunk(field);
        int offset = offset(field);
        chunk.setMemory(offset, name, (byte) 0);
        chunk.putInt(offset + NAME_LENGTH, nameLength);
        chunk.putBytes(offset + name, source, nameOffset, nameLength);
        AggregateBlock.clear(chunk, offset + BLOCK);
        UnsafeBuffer groupChunk = chunk(group);
        int groupOffset = offset(group);
        int last = groupChunk.getInt(groupOffset + LAST_FIELD);
        if (last == NONE) {
            groupChunk.putInt(groupOffset + FIRST_FIELD, field);
        } else {
            chunk(last).putInt(offset(last) + NEXT, field);
        }
        groupChunk.putInt(groupOffset + LAST_FIELD, field);
        return field;
    }

    /** Place of a new cell with anything in it; NONE when the limit is reached. */
    final int allocate(int length) {
        int padded = align(length);
        if (padded > ChunkPool.CHUNK_LENGTH - 8) {
            return NONE;
        }
        if (chunkCount == 0 || position + padded > ChunkPool.CHUNK_LENGTH) {
            UnsafeBuffer chunk = chunkCount == CHUNKS_MAX ? null : pool.take();
            if (chunk == null) {
                return NONE;
            }
            if (chunkCount == chunks.length) {
                chunks = Arrays.copyOf(chunks, 2 * chunkCount);
            }
            chunks[chunkCount++] = chunk;
            position = chunkCount == 1 ? 8 : 0;
        }
        int cell = ((chunkCount - 1) << WORDS_SHIFT) + (position >>> 3);
        position += padded;
        return cell;
    }

    /** Says why nothing more can be taken. */
    final void full() {
        fullBecause = chunkCount == CHUNKS_MAX ? "16 GiB for one part of a shard" : pool.bytesLimit();
    }

    @Override
    public final String fullBecause() {
        return fullBecause;
    }

    @Override
    public void clear() {
        for (int i = 0; i < chunkCount; i++) {
            pool.give(chunks[i]);
            chunks[i] = null;
        }
        pool.removeGroups(table.size());
        table.clear();
        chunkCount = 0;
        firstGroup = NONE;
        lastGroup = NONE;
        fullBecause = "";
    }

    @Override
    public final int groups() {
        return table.size();
    }

    @Override
    public final int firstGroup() {
        return firstGroup;
    }

    @Override
    public final int nextGroup(int group) {
        return chunk(group).getInt(offset(group) + NEXT);
    }

    @Override
    public final int findGroup(long hash, DirectBuffer key, int keyOffset, int length) {
        for (int slot = table.find(hash); slot >= 0; slot = table.findAfter(slot, hash)) {
            int group = table.cell(slot);
            UnsafeBuffer chunk = chunk(group);
            int offset = offset(group);
            if (chunk.getInt(offset + KEY_LENGTH) == length
                    && ByteRanges.areEqual(key, keyOffset, chunk, offset + KEY, length)) {
                return group;
            }
        }
        return NONE;
    }

    @Override
    public final int keyOffset(int group) {
        return offset(group) + KEY;
    }

    @Override
    public final int keyLength(int group) {
        return chunk(group).getInt(offset(group) + KEY_LENGTH);
    }

    @Override
    public final long keyHash(int group) {
        return chunk(group).getLong(offset(group) + KEY_HASH);
    }

    @Override
    public final int tagCount(int group) {
        return chunk(group).getInt(offset(group) + TAG_COUNT);
    }

    @Override
    public final int firstField(int group) {
        return chunk(group).getInt(offset(group) + FIRST_FIELD);
    }

    @Override
    public final int nextField(int field) {
        return chunk(field).getInt(offset(field) + NEXT);
    }

    @Override
    public final int findField(int group, DirectBuffer source, int nameOffset, int nameLength) {
        int field = firstField(group);
        while (field != NONE && !isNamed(field, source, nameOffset, nameLength)) {
            field = nextField(field);
        }
        return field;
    }

    private boolean isNamed(int field, DirectBuffer source, int nameOffset, int nameLength) {
        if (field == NONE) {
            return false;
        }
        UnsafeBuffer chunk = chunk(field);
        int offset = offset(field);
        return chunk.getInt(offset + NAME_LENGTH) == nameLength
                && ByteRanges.areEqual(source, nameOffset, chunk, offset + name, nameLength);
    }

    @Override
    public final int nameOffset(int field) {
        return offset(field) + name;
    }

    @Override
    public final int nameLength(int field) {
        return chunk(field).getInt(offset(field) + NAME_LENGTH);
    }

    @Override
    public final int blockOffset(int field) {
        return offset(field) + BLOCK;
    }

    @Override
    public final DirectBuffer buffer(int cell) {
        return chunk(cell);
    }

    /** What the field remembers of a plugin's state; 0 when there is none. */
    final int stateOf(int field, int plugin) {
        return chunk(field).getInt(offset(field) + STATES + 4 * plugin);
    }

    final void stateOf(int field, int plugin, int state) {
        chunk(field).putInt(offset(field) + STATES + 4 * plugin, state);
    }

    /** Chunk of a cell. */
    final UnsafeBuffer chunk(int cell) {
        return chunks[cell >>> WORDS_SHIFT];
    }

    /** Index of a cell in its chunk. */
    static int offset(int cell) {
        return (cell & WORDS_MASK) << 3;
    }

    private static int align(int length) {
        return (length + 7) & ~7;
    }
}
