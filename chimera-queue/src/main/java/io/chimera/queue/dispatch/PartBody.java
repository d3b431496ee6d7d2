package io.chimera.queue.dispatch;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.HotPath;
import io.chimera.common.composition.PointFlyweight;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.Entries;
import io.chimera.common.wire.FieldsFlyweight;
import io.chimera.common.wire.PartFrame;
import io.chimera.common.wire.RecordFlyweight;
import io.chimera.common.wire.SeriesFlyweight;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The frames of one pipeline of a part of a shard, of which one at a time is being filled. It remembers what it has defined,
 * for definitions hold over all of them; when the pass begins its numbers anew, so does this. The channel manager's thread.
 */
final class PartBody {
    private final UnsafeBuffer frame = new UnsafeBuffer(0, 0);
    private final NumberSet series = new NumberSet();
    private final NumberSet fields = new NumberSet();
    private final RecordFlyweight copy = new RecordFlyweight();
    private int position = PartFrame.HEADER_LENGTH;
    private int generation = -1;

    /** What blocks emit for the body, where they do. */
    private EmittedNumbers emitted;

    PartBody() {}

    /** The frame, whose header is not written. */
    UnsafeBuffer frame() {
        return frame;
    }

    /** Index behind its last entry. */
    int position() {
        return position;
    }

    /** Begins the next frame. */
    void rewind() {
        position = PartFrame.HEADER_LENGTH;
    }

    /** Sees to it that an empty frame holds so many bytes. */
    void ensureCapacity(int length) {
        if (frame.capacity() < length) {
            frame.wrap(new byte[Math.max(Target.FRAME_LENGTH, length)]);
        }
    }

    /** Bytes that a record takes with all that has to be defined for it. */
    @HotPath
    int lengthOf(PassEntries entries) {
        boolean isNew = entries.generation() != generation;
        return (isNew ? BodyLayout.RESET_LENGTH : 0)
                + (isNew || !series.has(entries.seriesNumber()) ? entries.seriesLength() : 0)
                + (isNew || !fields.has(entries.fieldsNumber()) ? entries.fieldsLength() : 0)
                + entries.record().length();
    }

    /**
     * Appends a record, for which there is room.
     *
     * @return what it adds to the checksum of the part
     */
    @HotPath
    long append(PassEntries entries, boolean isPrimary) {
        if (entries.generation() != generation) {
            reset(entries.generation());
        }
        DirectBuffer source = entries.record().buffer();
        if (series.add(entries.seriesNumber())) {
            define(source, entries.seriesOffset(), entries.seriesLength(), entries.seriesNumber());
        }
        if (fields.add(entries.fieldsNumber())) {
            define(source, entries.fieldsOffset(), entries.fieldsLength(), entries.fieldsNumber());
        }
        int length = entries.record().length();
        frame.putBytes(position, source, entries.record().offset(), length);
        frame.putShort(position + BodyLayout.RECORD_FIELDS, (short) entries.fieldsNumber(), LITTLE_ENDIAN);
        frame.putShort(position + BodyLayout.RECORD_SERIES, (short) entries.seriesNumber(), LITTLE_ENDIAN);
        frame.putShort(position + BodyLayout.FLAGS, (short) (isPrimary ? BodyLayout.FLAG_PRIMARY : 0), LITTLE_ENDIAN);
        long checksum = PartFrame.recordChecksum(entries.keyHash(), copy.wrap(frame, position));
        position += length;
        return checksum;
    }

    /** Bytes that an emitted point takes at most. */
    @HotPath
    static int lengthOf(PointFlyweight point) {
        return BodyLayout.RESET_LENGTH
                + point.series().length()
                + point.fieldsDefinition().length()
                + point.record().length();
    }

    /**
     * Appends an emitted point, for which there is room. A body takes either these or the entries of a pass.
     *
     * @return what it adds to the checksum of the part
     */
    @HotPath
    long append(PointFlyweight point, boolean isPrimary) {
        if (emitted == null) {
            emitted = new EmittedNumbers();
        }
        if (emitted.isAnew()) {
            Entries.putReset(frame, position);
            position += BodyLayout.RESET_LENGTH;
        }
        SeriesFlyweight definition = point.series();
        int seriesNumber = emitted.of(definition);
        if (emitted.isNew()) {
            define(definition.buffer(), definition.offset(), definition.length(), seriesNumber);
        }
        FieldsFlyweight set = point.fieldsDefinition();
        int fieldsNumber = emitted.of(set);
        if (emitted.isNew()) {
            define(set.buffer(), set.offset(), set.length(), fieldsNumber);
        }
        return putRecord(point.record(), fieldsNumber, seriesNumber, definition.keyHash(), isPrimary);
    }

    @HotPath
    private long putRecord(RecordFlyweight source, int set, int definition, long keyHash, boolean isPrimary) {
        int length = source.length();
        frame.putBytes(position, source.buffer(), source.offset(), length);
        frame.putShort(position + BodyLayout.RECORD_FIELDS, (short) set, LITTLE_ENDIAN);
        frame.putShort(position + BodyLayout.RECORD_SERIES, (short) definition, LITTLE_ENDIAN);
        frame.putShort(position + BodyLayout.FLAGS, (short) (isPrimary ? BodyLayout.FLAG_PRIMARY : 0), LITTLE_ENDIAN);
        long checksum = PartFrame.recordChecksum(keyHash, copy.wrap(frame, position));
        position += length;
        return checksum;
    }

    private void reset(int newGeneration) {
        generation = newGeneration;
        series.clear();
        fields.clear();
        Entries.putReset(frame, position);
        position += BodyLayout.RESET_LENGTH;
    }

    private void define(DirectBuffer source, int offset, int length, int number) {
        frame.putBytes(position, source, offset, length);
        Entries.number(frame, position, number);
        position += length;
    }
}
