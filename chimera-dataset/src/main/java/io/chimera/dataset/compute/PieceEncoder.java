package io.chimera.dataset.compute;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.model.FieldType;
import io.chimera.common.wire.AggregateBlock;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.Entries;
import io.chimera.common.wire.PartialFlyweight;
import io.chimera.common.wire.SeriesFlyweight;
import io.chimera.processor.staging.warehouse.Groups;
import io.chimera.processor.staging.warehouse.Warehouse;
import java.io.IOException;
import org.agrona.ExpandableArrayBuffer;

/**
 * Writes the aggregates of a warehouse as pieces: per group the group key as a series, its fields, and a partial. A set
 * of fields is written again only if it differs from the set of the group before. One thread.
 */
final class PieceEncoder {
    /** Length of a piece at which the next piece begins. */
    private static final int LENGTH_WISHED = 1 << 20;

    private final PieceSink out;
    private final ExpandableArrayBuffer body = new ExpandableArrayBuffer(64 << 10);
    private final ExpandableArrayBuffer blocks = new ExpandableArrayBuffer(1 << 10);
    private int position;
    private int groupCount;

    /** Offset of the last set of fields in the body; 0 without one. */
    private int lastSet;

    private int setCount;

    PieceEncoder(PieceSink out) {
        this.out = out;
    }

    /** Writes all groups of a warehouse without plugins and sketches; nothing for an empty one. */
    void encode(int pipeline, long startNs, Warehouse warehouse) throws IOException {
        begin();
        Groups groups = warehouse.groups();
        for (int group = groups.first(); group != Warehouse.NONE; group = groups.next(group)) {
            if (position > LENGTH_WISHED || groupCount == BodyLayout.DEFINITIONS_MAX) {
                out.piece(pipeline, startNs, body, position);
                begin();
            }
            put(groups, group);
        }
        if (groupCount > 0) {
            out.piece(pipeline, startNs, body, position);
        }
    }

    private void begin() {
        Entries.putReset(body, 0);
        position = BodyLayout.RESET_LENGTH;
        groupCount = 0;
        lastSet = 0;
        setCount = 0;
    }

    private void put(Groups groups, int group) {
        position += SeriesFlyweight.put(
                body,
                position,
                groupCount,
                groups.tagCount(group),
                groups.keyHash(group),
                groups.buffer(group),
                groups.keyOffset(group),
                groups.keyLength(group));
        int fields = putSet(groups, group);
        PartialFlyweight.put(body, position, groupCount, setCount - 1, 1, 0, 0, fields, blocks);
        position += PartialFlyweight.lengthOf(fields);
        groupCount++;
    }

    /** Writes the set of fields unless it is the last one, gathers the blocks, and returns the number of fields. */
    private int putSet(Groups groups, int group) {
        int count = 0;
        int at = position + BodyLayout.FIRST_FIELD;
        for (int field = groups.firstField(group); field != Warehouse.NONE; field = groups.nextField(field)) {
            int nameLength = groups.nameLength(field);
            body.putByte(at, (byte) FieldType.DOUBLE.code());
            body.putByte(at + 1, (byte) 0);
            body.putShort(at + BodyLayout.FIELD_NAME_LENGTH, (short) nameLength, LITTLE_ENDIAN);
            body.putBytes(at + BodyLayout.FIELD_NAME, groups.nameBuffer(field), groups.nameOffset(field), nameLength);
            at += BodyLayout.FIELD_NAME + nameLength;
            blocks.putBytes(
                    count * AggregateBlock.LENGTH,
                    groups.buffer(field),
                    groups.blockOffset(field),
                    AggregateBlock.LENGTH);
            count++;
        }
        int length = BodyLayout.align(at - position);
        body.setMemory(at, position + length - at, (byte) 0);
        body.putInt(position, length | BodyLayout.FIELDS, LITTLE_ENDIAN);
        body.putShort(position + BodyLayout.DEFINITION_COUNT, (short) count, LITTLE_ENDIAN);
        if (!isLastSet(length)) {
            Entries.number(body, position, setCount++);
            lastSet = position;
            position += length;
        }
        return count;
    }

    /** Whether the set of fields at the position equals the last set, apart from its number. */
    private boolean isLastSet(int length) {
        if (lastSet == 0 || Entries.length(body, lastSet) != length) {
            return false;
        }
        Entries.number(body, position, setCount - 1);
        for (int i = 0; i < length; i += Long.BYTES) {
            if (body.getLong(lastSet + i) != body.getLong(position + i)) {
                return false;
            }
        }
        return true;
    }
}
