package io.chimera.common.composition;

import io.chimera.api.HotPath;
import io.chimera.api.model.FieldType;
import io.chimera.api.spi.PointView;
import io.chimera.api.spi.Text;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.Entries;
import io.chimera.common.wire.FieldsFlyweight;
import io.chimera.common.wire.LineProtocol;
import io.chimera.common.wire.RecordDecoder;
import io.chimera.common.wire.RecordFlyweight;
import io.chimera.common.wire.SeriesFlyweight;
import io.chimera.common.wire.SeriesHash;
import org.agrona.DirectBuffer;

/**
 * View of a record and its definitions as a point for blocks. Not thread-safe; allocates only to learn longer field
 * sets.
 */
public final class PointFlyweight implements PointView {
    private static final int UNKNOWN = -1;

    private final SeriesFlyweight series = new SeriesFlyweight();
    private final FieldsFlyweight fields = new FieldsFlyweight();
    private final RecordFlyweight record = new RecordFlyweight();

    private final TextFlyweight metric = new TextFlyweight();
    private final TextFlyweight tag = new TextFlyweight();
    private final TextFlyweight tagName = new TextFlyweight();
    private final TextFlyweight tagValue = new TextFlyweight();
    private final TextFlyweight fieldName = new TextFlyweight();
    private final TextFlyweight text = new TextFlyweight();

    private final FieldPlans plans = new FieldPlans();

    /** Index of the last visited tag, negative before the first visit; {@code tagAt} is the position of the tag. */
    private int tagIndex;

    private int tagAt;

    /** Plan of the field set; null until the first use. */
    private FieldPlan plan;

    private int key;

    /** Cached hashes of fields; bit n of {@code hashed} marks a valid hash of field n. */
    private final long[] hashes = new long[Long.SIZE];

    private long hashed;

    /** Creates a flyweight without a buffer. */
    public PointFlyweight() {}

    /**
     * Wraps this flyweight over a validated record and its definitions; the three may be in different buffers.
     *
     * @return this
     */
    @HotPath
    public PointFlyweight wrap(SeriesFlyweight newSeries, FieldsFlyweight newFields, RecordFlyweight newRecord) {
        series.wrap(newSeries.buffer(), newSeries.offset());
        fields.wrap(newFields.buffer(), newFields.offset());
        record.wrap(newRecord.buffer(), newRecord.offset());
        return begin();
    }

    /**
     * Wraps this flyweight over a validated record with the same field set as the previous record; reuses the field
     * plan.
     *
     * @return this
     */
    @HotPath
    public PointFlyweight wrapNext(SeriesFlyweight newSeries, FieldsFlyweight newFields, RecordFlyweight newRecord) {
        FieldPlan known = plan;
        wrap(newSeries, newFields, newRecord);
        plan = known;
        return this;
    }

    /**
     * Wraps this flyweight over adjacent entries: series definition, field-set definition and record, as written by
     * {@link io.chimera.common.wire.encode.PointEncoder}.
     *
     * @return this
     */
    @HotPath
    public PointFlyweight wrap(DirectBuffer buffer, int offset) {
        series.wrap(buffer, offset);
        int fieldsOffset = offset + Entries.length(buffer, offset);
        fields.wrap(buffer, fieldsOffset);
        record.wrap(buffer, fieldsOffset + Entries.length(buffer, fieldsOffset));
        return begin();
    }

    private PointFlyweight begin() {
        tagIndex = UNKNOWN;
        if (plan != null) {
            plan = null;
        }
        key = 0;
        hashed = 0;
        return this;
    }

    /**
     * Sets the index of the routing key among the pipeline's keys; each wrap resets the index to 0.
     *
     * @return this
     */
    @HotPath
    public PointFlyweight by(int newKey) {
        key = newKey;
        return this;
    }

    /** Definition of the series. */
    public SeriesFlyweight series() {
        return series;
    }

    /** Definition of the field set. */
    public FieldsFlyweight fieldsDefinition() {
        return fields;
    }

    /** Record of the point. */
    public RecordFlyweight record() {
        return record;
    }

    @Override
    public Text metric() {
        return metric.wrap(series.buffer(), series.metric() + 2, series.sizeAt(series.metric()));
    }

    @Override
    @HotPath
    public Text tag(String name) {
        int at = series.firstTag();
        for (int i = series.tagCount(); i > 0; i--) {
            if (TextFlyweight.isSame(series.buffer(), at + 2, series.sizeAt(at), name)) {
                int value = series.tagValue(at);
                return tag.wrap(series.buffer(), value + 2, series.sizeAt(value));
            }
            at = series.nextTag(at);
        }
        return null;
    }

    @Override
    public int tags() {
        return series.tagCount();
    }

    @Override
    public Text tagName(int index) {
        int at = walkToTag(index);
        return tagName.wrap(series.buffer(), at + 2, series.sizeAt(at));
    }

    @Override
    public Text tagValue(int index) {
        int value = series.tagValue(walkToTag(index));
        return tagValue.wrap(series.buffer(), value + 2, series.sizeAt(value));
    }

    @HotPath
    private int walkToTag(int index) {
        if (index < 0 || index >= series.tagCount()) {
            throw new IndexOutOfBoundsException(index);
        }
        if (tagIndex == UNKNOWN || index < tagIndex) {
            tagIndex = 0;
            tagAt = series.firstTag();
        }
        while (tagIndex < index) {
            tagAt = series.nextTag(tagAt);
            tagIndex++;
        }
        return tagAt;
    }

    @HotPath
    private FieldPlan plan() {
        if (plan == null) {
            plan = plans.of(fields);
        }
        return plan;
    }

    @Override
    @HotPath
    public int field(String name) {
        return plan().find(name);
    }

    @Override
    public int fields() {
        return fields.count();
    }

    @Override
    public Text fieldName(int index) {
        FieldPlan known = planWith(index);
        return fieldName.wrap(fields.buffer(), fields.offset() + known.name(index), known.nameLength(index));
    }

    @Override
    public FieldType fieldType(int index) {
        return planWith(index).type(index);
    }

    @HotPath
    private FieldPlan planWith(int index) {
        FieldPlan known = plan();
        if (index < 0 || index >= known.count()) {
            throw new IndexOutOfBoundsException(index);
        }
        return known;
    }

    @Override
    public long whole(int index) {
        return switch (fieldType(index)) {
            case LONG, UNSIGNED, BOOLEAN -> record.bits(index);
            case DOUBLE -> (long) Double.longBitsToDouble(record.bits(index));
            case TEXT, HISTOGRAM -> 0;
        };
    }

    @Override
    public double number(int index) {
        FieldType type = fieldType(index);
        return FieldType.isBytes(type.code()) ? Double.NaN : record.asDouble(index, type.code());
    }

    @Override
    public Text text(int index) {
        FieldPlan known = planWith(index);
        if (known.type(index) != FieldType.TEXT) {
            return null;
        }
        text.wrap(record.buffer(), known.bytes(index, record), (int) record.bits(index));
        return isHashed(index) ? text.withHash(hashes[index]) : text;
    }

    @Override
    @HotPath
    public int histogram(int index, byte[] target) {
        FieldPlan known = planWith(index);
        if (known.type(index) != FieldType.HISTOGRAM) {
            return 0;
        }
        int length = (int) record.bits(index);
        record.buffer().getBytes(known.bytes(index, record), target, 0, length);
        return length;
    }

    private boolean isHashed(int index) {
        return index < Long.SIZE && (hashed >>> index & 1) != 0;
    }

    /**
     * Hash of a field value, equal on all nodes: over the bytes of a text or histogram, or over the 64 bits of another
     * type.
     */
    @HotPath
    long hash(int index) {
        if (isHashed(index)) {
            return hashes[index];
        }
        FieldPlan known = planWith(index);
        boolean isBytes = FieldType.isBytes(known.type(index).code());
        int at = isBytes ? known.bytes(index, record) : record.offset() + BodyLayout.VALUES + 8 * index;
        long hash = SeriesHash.of(record.buffer(), at, isBytes ? (int) record.bits(index) : 8);
        if (index < Long.SIZE) {
            hashes[index] = hash;
            hashed |= 1L << index;
        }
        return hash;
    }

    @Override
    public int key() {
        return key;
    }

    @Override
    public long timeNs() {
        return record.timeNs();
    }

    /** Formats the point as line protocol, for dead letters. */
    @Override
    public String toString() {
        return LineProtocol.line(RecordDecoder.point(RecordDecoder.key(series), fields, record));
    }
}
