package io.chimera.queue.dispatch;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.HotPath;
import io.chimera.common.composition.PointFlyweight;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.Entries;
import io.chimera.common.wire.FieldsFlyweight;
import io.chimera.common.wire.PartFrame;
import io.chimera.common.wire.PartialFlyweight;
import io.chimera.common.wire.RecordFlyweight;
import io.chimera.common.wire.SeriesFlyweight;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The frames of one pipeline of a part of a shard, of which one at a time is being filled. It remembers what it has defined,
 * for definitions hold over all of them, and numbers them in the order in which they come; when the pass begins its numbers
 * anew, so does this. The channel manager's thread; allocates where it grows.
 */
final class PartBody {
    private final UnsafeBuffer frame = new UnsafeBuffer(0, 0);
    private final RecordFlyweight copy = new RecordFlyweight();
    private final PartialFlyweight partial = new PartialFlyweight();

    /** One more than the numbers of sets of fields here, by those of the pass; 0 where there is none. */
    private int[] fieldsHere = new int[16];

    private int fieldsCount;

    /** The same of series, where those of the pipeline are in several bodies; null where each is in one. */
    private int[] seriesHere;

    private int seriesCount;
    private int position = PartFrame.HEADER_LENGTH;
    private int generation = -1;

    /** What blocks emit for the body, where they do. */
    private EmittedNumbers emitted;

    /** What puts records together; null where that is not wanted. */
    private final HotSeries hot;

    PartBody(HotSeries hot, boolean isKeyed) {
        this.hot = hot;
        seriesHere = isKeyed ? new int[16] : null;
    }

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

    /** Bytes that a record takes with all that has to be defined for it; the body is that of a route. */
    @HotPath
    int lengthOf(PassEntries entries, int route) {
        boolean isNew = entries.generation() != generation;
        return (isNew ? BodyLayout.RESET_LENGTH : 0)
                + (isNew || seriesNumber(entries, route) == PassEntries.UNDEFINED ? entries.seriesLength() : 0)
                + (isNew || !hasFields(entries.fieldsNumber()) ? entries.fieldsLength() : 0)
                + entries.record().length();
    }

    /** Whether entries of records that were put together have to be written before the next record is taken. */
    @HotPath
    boolean isOver(PassEntries entries) {
        return entries.generation() != generation && hasPartials();
    }

    boolean hasPartials() {
        return hot != null && !hot.isEmpty();
    }

    /** Takes a record without appending it, if it is one to be put together with others. */
    @HotPath
    boolean take(PassEntries entries, int route, boolean isPrimary) {
        return hot != null
                && entries.generation() == generation
                && entries.seriesNumber(route) != PassEntries.UNDEFINED
                && hasFields(entries.fieldsNumber())
                && hot.take(entries, entries.seriesNumber(route), isPrimary);
    }

    /** Bytes of the next entry of records that were put together. */
    int partialLength() {
        return hot.nextLength();
    }

    /** Records in it. */
    int partialRecords() {
        return hot.nextRecords();
    }

    /**
     * Appends it; there is room for it.
     *
     * @return what it adds to the checksum of the part
     */
    long appendPartial() {
        int length = hot.nextLength();
        hot.writeNext(frame, position, fieldsHere[hot.nextFields()] - 1);
        long checksum = partial.wrap(frame, position).checksum();
        position += length;
        return checksum;
    }

    private boolean hasFields(int ofPass) {
        return ofPass < fieldsHere.length && fieldsHere[ofPass] != 0;
    }

    /**
     * Appends a record, for which there is room.
     *
     * @return what it adds to the checksum of the part
     */
    @HotPath
    long append(PassEntries entries, int route, boolean isPrimary) {
        if (entries.generation() != generation) {
            reset(entries.generation());
        }
        int series = seriesNumber(entries, route);
        if (series == PassEntries.UNDEFINED) {
            series = defineSeries(entries, route);
        }
        int ofPass = entries.fieldsNumber();
        if (!hasFields(ofPass)) {
            defineFields(entries, ofPass);
        }
        if (hot != null) {
            hot.sent(series);
        }
        return putRecord(entries.record(), fieldsHere[ofPass] - 1, series, entries.keyHash(), isPrimary);
    }

    @HotPath
    private int seriesNumber(PassEntries entries, int route) {
        if (seriesHere == null) {
            return entries.seriesNumber(route);
        }
        int ofPass = entries.seriesNumber();
        return ofPass < seriesHere.length ? seriesHere[ofPass] - 1 : PassEntries.UNDEFINED;
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
        seriesCount = 0;
        fieldsCount = 0;
        Arrays.fill(fieldsHere, 0);
        if (seriesHere != null) {
            Arrays.fill(seriesHere, 0);
        }
        if (hot != null) {
            hot.reset();
        }
        Entries.putReset(frame, position);
        position += BodyLayout.RESET_LENGTH;
    }

    private int defineSeries(PassEntries entries, int route) {
        int number = seriesCount++;
        if (seriesHere == null) {
            entries.seriesNumber(route, number);
        } else {
            int ofPass = entries.seriesNumber();
            if (ofPass >= seriesHere.length) {
                seriesHere = Arrays.copyOf(seriesHere, Math.max(ofPass + 1, 2 * seriesHere.length));
            }
            seriesHere[ofPass] = number + 1;
        }
        define(entries.record().buffer(), entries.seriesOffset(), entries.seriesLength(), number);
        return number;
    }

    private void defineFields(PassEntries entries, int ofPass) {
        if (ofPass >= fieldsHere.length) {
            fieldsHere = Arrays.copyOf(fieldsHere, Math.max(ofPass + 1, 2 * fieldsHere.length));
        }
        define(entries.record().buffer(), entries.fieldsOffset(), entries.fieldsLength(), fieldsCount++);
        fieldsHere[ofPass] = fieldsCount;
    }

    private void define(DirectBuffer source, int offset, int length, int number) {
        frame.putBytes(position, source, offset, length);
        Entries.number(frame, position, number);
        position += length;
    }
}
