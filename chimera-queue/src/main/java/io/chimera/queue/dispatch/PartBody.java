package io.chimera.queue.dispatch;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.ColdPath;
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
 * Frames of one pipeline and one part of a shard; one frame at a time is open. The body remembers the definitions it
 * has written, because definitions are valid across all its frames, and numbers the definitions in order of appearance.
 * When the pass restarts its numbers, the body does the same. The channel manager's thread; allocates only when
 * growing.
 */
final class PartBody {
    private final UnsafeBuffer frame = new UnsafeBuffer(0, 0);
    private final RecordFlyweight copy = new RecordFlyweight();
    private final PartialFlyweight partial = new PartialFlyweight();

    /** Field set numbers of the body plus one, by the number of the field set in the pass; 0 without a number. */
    private int[] fieldsHere = new int[16];

    private int fieldsCount;

    /**
     * Series numbers of the body plus one, by the number of the series in the pass, when a series of the pipeline may
     * be in several bodies; null when each series is in one body.
     */
    private int[] seriesHere;

    private int seriesCount;
    private int position = PartFrame.HEADER_LENGTH;
    private int generation = -1;

    /** Numbers for emitted points; null without blocks. */
    private EmittedNumbers emitted;

    /** Pre-aggregation of hot series; null when disabled. */
    private final HotSeries hot;

    PartBody(HotSeries hot, boolean isKeyed) {
        this.hot = hot;
        seriesHere = isKeyed ? new int[16] : null;
    }

    /** The open frame, without a header. */
    UnsafeBuffer frame() {
        return frame;
    }

    /** Index after the last entry. */
    int position() {
        return position;
    }

    /** Begins the next frame. */
    void rewind() {
        position = PartFrame.HEADER_LENGTH;
    }

    /** Ensures the capacity of an empty frame. */
    @ColdPath
    void ensureCapacity(int length) {
        if (frame.capacity() < length) {
            frame.wrap(new byte[Math.max(DispatchTarget.FRAME_LENGTH, length)]);
        }
    }

    /** Length in bytes of a record with all missing definitions, for the body of a route. */
    @HotPath
    int lengthOf(PassEntries entries, int route) {
        boolean isNew = entries.generation() != generation;
        return (isNew ? BodyLayout.RESET_LENGTH : 0)
                + (isNew || seriesNumber(entries, route) == PassEntries.UNDEFINED ? entries.seriesLength() : 0)
                + (isNew || !hasFields(entries.fieldsNumber()) ? entries.fieldsLength() : 0)
                + entries.record().length();
    }

    /** Whether partials must be written before the next record. */
    @HotPath
    boolean isOver(PassEntries entries) {
        return entries.generation() != generation && hasPartials();
    }

    boolean hasPartials() {
        return hot != null && !hot.isEmpty();
    }

    /** Merges a record into a partial without appending the record, if the record qualifies. */
    @HotPath
    boolean take(PassEntries entries, int route, boolean isPrimary) {
        return hot != null
                && entries.generation() == generation
                && entries.seriesNumber(route) != PassEntries.UNDEFINED
                && hasFields(entries.fieldsNumber())
                && hot.take(entries, entries.seriesNumber(route), isPrimary);
    }

    /** Length in bytes of the next partial. */
    int partialLength() {
        return hot.nextLength();
    }

    /** Number of records in the next partial. */
    int partialRecords() {
        return hot.nextRecords();
    }

    /**
     * Appends the next partial. The frame must have room.
     *
     * @return contribution to the checksum of the part
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
     * Appends a record. The frame must have room.
     *
     * @return contribution to the checksum of the part
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

    /** Maximum length in bytes of an emitted point with all definitions. */
    @HotPath
    static int lengthOf(PointFlyweight point) {
        return BodyLayout.RESET_LENGTH
                + point.series().length()
                + point.fieldsDefinition().length()
                + point.record().length();
    }

    @ColdPath
    private void prepareEmitted() {
        emitted = new EmittedNumbers();
    }

    /**
     * Appends an emitted point. The frame must have room. A body holds either emitted points or entries of a pass,
     * never both.
     *
     * @return contribution to the checksum of the part
     */
    @HotPath
    long append(PointFlyweight point, boolean isPrimary) {
        if (emitted == null) {
            prepareEmitted();
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
        Entries.references(frame, position, set, definition);
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
        entries.hasSeries(seriesCount);
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
