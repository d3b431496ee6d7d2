package io.chimera.common.composition;

import io.chimera.api.HotPath;
import io.chimera.api.model.FieldType;
import io.chimera.api.spi.PointView;
import io.chimera.api.spi.Text;
import io.chimera.common.wire.Entries;
import io.chimera.common.wire.FieldsFlyweight;
import io.chimera.common.wire.LineProtocol;
import io.chimera.common.wire.RecordDecoder;
import io.chimera.common.wire.RecordFlyweight;
import io.chimera.common.wire.SeriesFlyweight;
import java.util.Arrays;
import org.agrona.DirectBuffer;

/** A record and what is defined for it, as the point that blocks see. Not thread-safe; allocates nothing. */
public final class PointFlyweight implements PointView {
    private final SeriesFlyweight series = new SeriesFlyweight();
    private final FieldsFlyweight fields = new FieldsFlyweight();
    private final RecordFlyweight record = new RecordFlyweight();

    private final TextFlyweight metric = new TextFlyweight();
    private final TextFlyweight tag = new TextFlyweight();
    private final TextFlyweight tagName = new TextFlyweight();
    private final TextFlyweight tagValue = new TextFlyweight();
    private final TextFlyweight fieldName = new TextFlyweight();
    private final TextFlyweight text = new TextFlyweight();

    private int tagCount;
    private int fieldCount;

    /** The tag that was walked to last, and where it is. */
    private int tagIndex;

    private int tagAt;

    /** Where the fields are that were walked over so far, and the texts of those that have one. */
    private int[] fieldsAt = new int[16];

    private int[] textsAt = new int[16];
    private int walked;
    private int nextField;
    private int nextText;

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
        tagCount = series.tagCount();
        fieldCount = fields.count();
        tagIndex = 0;
        tagAt = series.firstTag();
        walked = 0;
        nextField = fields.first();
        nextText = record.firstText(fieldCount);
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
        for (int i = 0; i < tagCount; i++) {
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
        return tagCount;
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
        if (index < 0 || index >= tagCount) {
            throw new IndexOutOfBoundsException(index);
        }
        if (index < tagIndex) {
            tagIndex = 0;
            tagAt = series.firstTag();
        }
        while (tagIndex < index) {
            tagAt = series.nextTag(tagAt);
            tagIndex++;
        }
        return tagAt;
    }

    @Override
    @HotPath
    public int field(String name) {
        for (int i = 0; i < fieldCount; i++) {
            int at = walkToField(i);
            if (TextFlyweight.isSame(fields.buffer(), fields.name(at), fields.nameLength(at), name)) {
                return i;
            }
        }
        return -1;
    }

    @HotPath
    private int walkToField(int index) {
        if (index < 0 || index >= fieldCount) {
            throw new IndexOutOfBoundsException(index);
        }
        while (walked <= index) {
            if (walked == fieldsAt.length) {
                fieldsAt = Arrays.copyOf(fieldsAt, 2 * walked);
                textsAt = Arrays.copyOf(textsAt, 2 * walked);
            }
            fieldsAt[walked] = nextField;
            textsAt[walked] = nextText;
            if (fields.type(nextField) == FieldType.TEXT.code()) {
                nextText = RecordFlyweight.nextText(nextText, record.bits(walked));
            }
            nextField = fields.next(nextField);
            walked++;
        }
        return fieldsAt[index];
    }

    @Override
    public int fields() {
        return fieldCount;
    }

    @Override
    public Text fieldName(int index) {
        int at = walkToField(index);
        return fieldName.wrap(fields.buffer(), fields.name(at), fields.nameLength(at));
    }

    @Override
    public FieldType fieldType(int index) {
        return FieldType.ofCode(fields.type(walkToField(index)));
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
        return fieldType(index) == FieldType.TEXT
                ? text.wrap(record.buffer(), textsAt[index], (int) record.bits(index))
                : null;
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
