package io.chimera.processor.staging.warehouse;

import io.chimera.api.model.SeriesKey;
import io.chimera.common.wire.AggregateBlock;
import io.chimera.common.wire.RecordDecoder;
import io.chimera.processor.pipeline.GroupCursor;
import io.chimera.processor.pipeline.TextCount;
import io.chimera.processor.staging.sketch.DistinctSketch;
import io.chimera.processor.staging.sketch.HistogramSketch;
import io.chimera.processor.staging.sketch.QuantileSketch;
import io.chimera.processor.staging.sketch.Sketch;
import io.chimera.processor.staging.sketch.SketchKind;
import io.chimera.processor.staging.sketch.TopSketch;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Cursor over the groups of all parts of a shard, merged during the walk in the order of the parts, so the result is a
 * pure function of the shard's content, bit for bit. Needs no memory per group: a group appears at the first part that
 * contains the group, and is looked up in the later parts. The flusher's thread.
 */
public final class MergedGroups implements GroupCursor {
    private static final int NONE = Warehouse.NONE;

    private final List<Warehouse> parts;
    private final Plugins plugins;
    private final int[] groups;
    private final UnsafeBuffer block = new UnsafeBuffer(new byte[AggregateBlock.LENGTH]);

    /** Merged sketches of the current field; functions based on the same kind of sketch share the object. */
    private final Map<SketchKind, Sketch> sketches = new EnumMap<>(SketchKind.class);

    private int part = -1;
    private int group = NONE;
    private int fieldPart;
    private int field = NONE;

    /**
     * Creates a cursor before the first group.
     *
     * @param parts warehouses in the order of the parts, without the parts that have no records
     * @param plugins of the pipeline
     */
    public MergedGroups(List<Warehouse> parts, Plugins plugins) {
        this.parts = parts;
        this.plugins = plugins;
        groups = new int[parts.size()];
    }

    private Groups groupsOf(int index) {
        return parts.get(index).groups();
    }

    @Override
    public boolean nextGroup() {
        do {
            group = group == NONE ? NONE : groupsOf(part).next(group);
            while (group == NONE) {
                if (part == parts.size() - 1) {
                    return false;
                }
                part++;
                group = groupsOf(part).first();
            }
        } while (isInEarlierPart());
        for (int i = 0; i < groups.length; i++) {
            groups[i] = i < part ? NONE : i == part ? group : find(i);
        }
        fieldPart = part;
        field = NONE;
        return true;
    }

    private boolean isInEarlierPart() {
        for (int i = 0; i < part; i++) {
            if (find(i) != NONE) {
                return true;
            }
        }
        return false;
    }

    /** Returns the current group in another part. */
    private int find(int other) {
        Groups own = groupsOf(part);
        return groupsOf(other).find(own.keyHash(group), own.buffer(group), own.keyOffset(group), own.keyLength(group));
    }

    @Override
    public SeriesKey key() {
        Groups own = groupsOf(part);
        return RecordDecoder.key(own.buffer(group), own.keyOffset(group), own.tagCount(group));
    }

    @Override
    public boolean nextField() {
        boolean isFirst = field == NONE;
        do {
            field = isFirst
                    ? groupsOf(fieldPart).firstField(groups[fieldPart])
                    : groupsOf(fieldPart).nextField(field);
            isFirst = false;
            while (field == NONE) {
                if (!stepFieldPart()) {
                    return false;
                }
                field = groupsOf(fieldPart).firstField(groups[fieldPart]);
            }
        } while (isFieldInEarlierPart());
        sketches.clear();
        AggregateBlock.clear(block, 0);
        for (int i = fieldPart; i < groups.length; i++) {
            int same = findField(i);
            if (same != NONE) {
                Groups warehouse = groupsOf(i);
                AggregateBlock.merge(block, 0, warehouse.buffer(same), warehouse.blockOffset(same));
            }
        }
        return true;
    }

    private boolean stepFieldPart() {
        do {
            fieldPart++;
        } while (fieldPart < groups.length && groups[fieldPart] == NONE);
        return fieldPart < groups.length;
    }

    private boolean isFieldInEarlierPart() {
        for (int i = part; i < fieldPart; i++) {
            if (findField(i) != NONE) {
                return true;
            }
        }
        return false;
    }

    /** Returns the current field in a part. */
    private int findField(int other) {
        if (groups[other] == NONE) {
            return NONE;
        }
        Groups own = groupsOf(fieldPart);
        return other == fieldPart
                ? field
                : groupsOf(other)
                        .findField(groups[other], own.nameBuffer(field), own.nameOffset(field), own.nameLength(field));
    }

    @Override
    public String field() {
        Groups own = groupsOf(fieldPart);
        return RecordDecoder.text(own.nameBuffer(field), own.nameOffset(field), own.nameLength(field));
    }

    @Override
    public long count() {
        return AggregateBlock.count(block, 0);
    }

    @Override
    public long numbers() {
        return AggregateBlock.numbers(block, 0);
    }

    @Override
    public double min() {
        return AggregateBlock.min(block, 0);
    }

    @Override
    public double max() {
        return AggregateBlock.max(block, 0);
    }

    @Override
    public double sum() {
        return AggregateBlock.sum(block, 0);
    }

    @Override
    public double mean() {
        return AggregateBlock.mean(block, 0);
    }

    @Override
    public double variance() {
        return AggregateBlock.variance(block, 0);
    }

    @Override
    public double plugin(int plugin) {
        PluginState<?> merging = plugins.merging(plugin);
        Object merged = merging.create();
        for (int i = fieldPart; i < groups.length; i++) {
            int same = findField(i);
            Object state = same == NONE ? null : parts.get(i).state(same, plugin);
            if (state != null) {
                merging.merge(merged, state);
            }
        }
        return merging.result(merged);
    }

    @Override
    public double quantile(double share) {
        double value = quantileOfAll(share);
        double atMost = Double.isNaN(max()) ? value : Math.min(max(), value);
        return Double.isNaN(min()) ? atMost : Math.max(min(), atMost);
    }

    private double quantileOfAll(double share) {
        HistogramSketch histograms = (HistogramSketch) sketch(SketchKind.HISTOGRAMS);
        QuantileSketch numbers = (QuantileSketch) sketch(SketchKind.QUANTILES);
        if (histograms.isEmpty()) {
            return numbers.quantile(share);
        }
        if (numbers.isEmpty() && !histograms.isMixed()) {
            return histograms.quantile(share);
        }
        QuantileSketch all = (QuantileSketch) SketchKind.QUANTILES.create();
        all.merge(numbers);
        histograms.addTo(all);
        return all.quantile(share);
    }

    @Override
    public long distinct() {
        return ((DistinctSketch) sketch(SketchKind.DISTINCT)).distinct();
    }

    @Override
    public List<TextCount> top(int most) {
        return ((TopSketch) sketch(SketchKind.TOP)).top(most);
    }

    private Sketch sketch(SketchKind kind) {
        return sketches.computeIfAbsent(kind, this::merge);
    }

    private Sketch merge(SketchKind kind) {
        Sketch merged = null;
        for (int i = fieldPart; i < groups.length; i++) {
            int same = findField(i);
            Sketch sketch = same == NONE ? null : parts.get(i).sketch(same, kind);
            if (merged == null) {
                merged = sketch;
            } else if (sketch != null) {
                merged.merge(sketch);
            }
        }
        return merged == null ? kind.create() : merged;
    }
}
