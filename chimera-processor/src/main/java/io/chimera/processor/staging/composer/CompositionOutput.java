package io.chimera.processor.staging.composer;

import io.chimera.api.HotPath;
import io.chimera.common.composition.PointConsumer;
import io.chimera.common.composition.PointFlyweight;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.FieldsFlyweight;
import io.chimera.common.wire.GroupKey;
import io.chimera.common.wire.RecordFlyweight;
import io.chimera.common.wire.SeriesFlyweight;
import io.chimera.common.wire.SeriesHash;
import io.chimera.processor.pipeline.Pipeline;
import io.chimera.processor.staging.warehouse.Definitions;
import io.chimera.processor.staging.warehouse.Warehouse;
import org.agrona.DirectBuffer;
import org.agrona.collections.Long2LongHashMap;

/**
 * Output of a composition: folds points into the groups of the pipeline, makes rows of points, or drops points during a
 * rebuild. The composer's thread.
 */
final class CompositionOutput implements PointConsumer {
    private static final long NONE = -1;

    private final GroupKey groupKey;
    private final Counters<ProcessorCounter> counters;
    private final RowOutput rows;

    /** Sets of fields in the warehouse, by the hash of their definition. */
    private final Long2LongHashMap sets = new Long2LongHashMap(NONE);

    /** Destination of the points; null while points are dropped. */
    private Composed composed;

    private int plan;
    private boolean isFull;
    private final boolean hasPlugins;

    CompositionOutput(Pipeline pipeline, GroupKey groupKey, Counters<ProcessorCounter> counters) {
        this.groupKey = groupKey;
        this.counters = counters;
        rows = new RowOutput(pipeline.naming(), counters);
        hasPlugins = !pipeline.folding().isEmpty();
    }

    /** Directs the following points into a result. */
    void begin(Composed into) {
        composed = into;
        isFull = false;
        plan = Warehouse.NONE;
        sets.clear();
        rows.begin(into);
    }

    /** Drops all following points. */
    void end() {
        if (composed != null && composed.warehouse() != null) {
            composed.warehouse().forget();
        }
        composed = null;
        rows.begin(null);
    }

    /** Returns whether a limit was reached, which makes the result unusable. */
    boolean isFull() {
        return isFull;
    }

    @Override
    @HotPath
    public void accept(PointFlyweight point, int partition) {
        if (composed == null || isFull) {
            return;
        }
        counters.increment(ProcessorCounter.COMPOSER_POINTS_EMITTED);
        if (composed.warehouse() == null) {
            isFull = !rows.add(point);
        } else if (isTooLong(point)) {
            counters.increment(ProcessorCounter.COMPOSER_POINTS_DROPPED);
        } else {
            isFull = !fold(composed.warehouse(), point);
        }
    }

    private static boolean isTooLong(PointFlyweight point) {
        return point.series().length() > Definitions.LENGTH_MAX
                || point.fieldsDefinition().length() > Definitions.LENGTH_MAX;
    }

    private boolean fold(Warehouse warehouse, PointFlyweight point) {
        RecordFlyweight record = point.record();
        int set = setOf(warehouse, point.fieldsDefinition());
        if (set == Warehouse.NONE) {
            return false;
        }
        SeriesFlyweight series = point.series();
        groupKey.of(series);
        if (hasPlugins && !isAdmitted(warehouse, set, record)) {
            return true;
        }
        int group = warehouse.group(groupKey);
        if (group == Warehouse.NONE) {
            return false;
        }
        plan = warehouse.plan(group, set, plan);
        return plan != Warehouse.NONE && warehouse.fold(plan, record);
    }

    /**
     * Returns the set of fields in the warehouse. The cache by hash pays off, because the points of a block have few
     * different sets of fields.
     */
    private int setOf(Warehouse warehouse, FieldsFlyweight fields) {
        int offset = fields.offset() + BodyLayout.FIRST_FIELD;
        int length = fields.length() - BodyLayout.FIRST_FIELD;
        long hash = SeriesHash.of(fields.buffer(), offset, length);
        int known = (int) sets.get(hash);
        if (known != NONE && isSame(warehouse, known, fields.buffer(), offset, length)) {
            return known;
        }
        int set = warehouse.definitions().keep(fields);
        if (set != Warehouse.NONE) {
            sets.put(hash, set);
        }
        return set;
    }

    private static boolean isSame(Warehouse warehouse, int set, DirectBuffer buffer, int offset, int length) {
        DirectBuffer kept = warehouse.definitions().buffer(set);
        int keptOffset = warehouse.definitions().offset(set) + BodyLayout.FIRST_FIELD;
        for (int i = 0; i < length; i += Long.BYTES) {
            if (kept.getLong(keptOffset + i) != buffer.getLong(offset + i)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns whether the aggregators take a record. An aggregator throws at the same points on every node, so every
     * node drops the same points.
     */
    private boolean isAdmitted(Warehouse warehouse, int set, RecordFlyweight record) {
        int known = warehouse.groups().find(groupKey.hash(), groupKey.buffer(), groupKey.offset(), groupKey.length());
        try {
            warehouse.rehearse(known, set, record);
            return true;
        } catch (RuntimeException | AssertionError | LinkageError | StackOverflowError e) {
            counters.increment(ProcessorCounter.COMPOSER_POINTS_DROPPED);
            return false;
        }
    }
}
