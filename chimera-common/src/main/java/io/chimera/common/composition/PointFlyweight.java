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

/** A record and what is defined for it, as the point that blocks see. Not thread-safe; allocates nothing. */
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

    /** The tag that was walked to last, and where it is; nowhere yet where it is below 0. */
    private int tagIndex;

    private int tagAt;

    /** What is known of the fields; null until somebody asks. */
    private FieldPlan plan;

    private int key;

    /** Hashes of fields that were asked for, and by bit which of them are there. */
    private final long[] hashes = new long[Long.SIZE];

    private long hashed;

    /** A flyweight over nothing yet. */
    public PointFlyweight() {}

    /**
     * Lays this flyweight over a whole record and its definitions, wherever each is.
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
     * Lays this flyweight over a record whose set of fields is equal to that of the record before, wherever each is.
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
     * Lays this flyweight over the definition of a series, that of fields and a record, one behind the other, as
     * {@link io.chimera.common.wire.PointEncoder} writes them.
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
     * Says which of the pipeline's keys the point is here by; after each wrap it is the first.
     *
     * @return this
     */
    @HotPath
    public PointFlyweight by(int newKey) {
        key = newKey;
        return this;
    }

    /** Definition of its series. */
    public SeriesFlyweight series() {
        return series;
    }

    /** Definition of its fields. */
    public FieldsFlyweight fieldsDefinition() {
        return fields;
    }

    /** The record itself. */
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
            case TEXT -> 0;
        };
    }

    @Override
    public double number(int index) {
        FieldType type = fieldType(index);
        return type == FieldType.TEXT ? Double.NaN : record.asDouble(index, type.code());
    }

    @Override
    public Text text(int index) {
        FieldPlan known = planWith(index);
        if (known.type(index) != FieldType.TEXT) {
            return null;
        }
        text.wrap(record.buffer(), known.text(index, record), (int) record.bits(index));
        return isHashed(index) ? text.withHash(hashes[index]) : text;
    }

    private boolean isHashed(int index) {
        return index < Long.SIZE && (hashed >>> index & 1) != 0;
    }

    /** A hash of the value of a field, the same on every node: of the bytes of a text, of the 64 bits of anything else. */
    @HotPath
    long hash(int index) {
        if (isHashed(index)) {
            return hashes[index];
        }
        FieldPlan known = planWith(index);
        boolean isText = known.type(index) == FieldType.TEXT;
        int at = isText ? known.text(index, record) : record.offset() + BodyLayout.VALUES + 8 * index;
        long hash = SeriesHash.of(record.buffer(), at, isText ? (int) record.bits(index) : 8);
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

    /** The point as line protocol, for dead letters. */
    @Override
    public String toString() {
        return LineProtocol.line(RecordDecoder.point(RecordDecoder.key(series), fields, record));
    }
}
