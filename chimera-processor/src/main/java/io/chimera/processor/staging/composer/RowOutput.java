package io.chimera.processor.staging.composer;

import io.chimera.api.ColdPath;
import io.chimera.api.model.FieldType;
import io.chimera.api.model.Row;
import io.chimera.api.model.SeriesKey;
import io.chimera.api.model.Tags;
import io.chimera.common.composition.PointFlyweight;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.row.RowNaming;
import io.chimera.common.wire.FieldsFlyweight;
import io.chimera.common.wire.RecordDecoder;
import io.chimera.common.wire.RecordFlyweight;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Makes rows of points: for every number a row with the time of the point. {@link RowNaming} names the
 * rows. A store keeps one value per metric, tags, type and millisecond, so the last of several values in a shard of a
 * cycle replaces the earlier ones. The composer's thread.
 */
final class RowOutput {
    private final RowNaming naming;
    private final Counters<ProcessorCounter> counters;
    private final Map<Key, Integer> places = new HashMap<>();
    private Composed composed;

    private record Key(String metric, Tags tags, long timeMs, boolean isLong) {}

    RowOutput(RowNaming naming, Counters<ProcessorCounter> counters) {
        this.naming = naming;
        this.counters = counters;
    }

    void begin(Composed into) {
        composed = into;
        places.clear();
    }

    /** Adds the rows of a point; false when the limit is reached. */
    @ColdPath
    boolean add(PointFlyweight point) {
        SeriesKey key = RecordDecoder.key(point.series());
        Tags tags = naming.tags(key.tags());
        FieldsFlyweight fields = point.fieldsDefinition();
        RecordFlyweight record = point.record();
        long timeMs = TimeUnit.NANOSECONDS.toMillis(point.timeNs());
        int field = fields.first();
        for (int i = 0; i < fields.count(); i++) {
            int type = fields.type(field);
            if (FieldType.isBytes(type)) {
                counters.increment(ProcessorCounter.COMPOSER_TEXTS_DROPPED);
            } else {
                String name = RecordDecoder.text(fields.buffer(), fields.name(field), fields.nameLength(field));
                if (!add(row(naming.metric(key.metric(), name), tags, timeMs, record, i, type))) {
                    return false;
                }
            }
            field = fields.next(field);
        }
        return true;
    }

    private static Row row(String metric, Tags tags, long timeMs, RecordFlyweight record, int index, int type) {
        boolean isWhole = type == FieldType.LONG.code() || type == FieldType.BOOLEAN.code();
        return isWhole
                ? Row.ofLong(metric, tags, timeMs, record.bits(index))
                : Row.ofDouble(metric, tags, timeMs, record.asDouble(index, type));
    }

    @ColdPath
    private boolean add(Row row) {
        Key key = new Key(row.metric(), row.tags(), row.timeMs(), row.isLong());
        Integer place = places.get(key);
        if (place != null) {
            composed.rows().set(place, row);
            counters.increment(ProcessorCounter.COMPOSER_ROWS_REPLACED);
            return true;
        }
        int added = composed.add(row);
        if (added < 0) {
            return false;
        }
        places.put(key, added);
        return true;
    }
}
