package io.chimera.processor.staging.warehouse;

import io.chimera.api.ColdPath;
import io.chimera.api.HotPath;
import io.chimera.api.model.FieldType;
import io.chimera.common.wire.AggregateBlock;
import io.chimera.common.wire.FieldsFlyweight;
import io.chimera.common.wire.GroupKey;
import io.chimera.common.wire.HistogramFlyweight;
import io.chimera.common.wire.PartialFlyweight;
import io.chimera.common.wire.RecordDecoder;
import io.chimera.common.wire.RecordFlyweight;
import io.chimera.processor.staging.sketch.Sketch;
import io.chimera.processor.staging.sketch.SketchKind;
import java.util.HashMap;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.collections.IntArrayList;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Aggregates of a part of a shard of a cycle for a pipeline: groups with fields, each field with an aggregate (Chimera
 * 2017, III-D2). The output is a function of the input alone. Groups, names and sketches are in a set of {@link Cells};
 * {@link Definitions} and {@link Plans} of the current transmission are in another set and valid until {@link #forget}.
 * The memory kept after the transmission grows with groups, fields and names, not with the number of sets of fields.
 * The pool decides whether chunks and states of plugins are on the heap. Written by one thread; read by one thread
 * after a handover.
 */
public final class Warehouse {
    /** No group, field, definition or plan. */
    public static final int NONE = 0;

    private final Plugins plugins;
    private final ChunkPool pool;
    private final Cells cells;
    private final boolean hasPlugins;
    private final boolean hasSketches;
    private final Sketches sketches;
    private final SketchCells sketchCells;
    private final Cells defined;
    private final CellTable table;
    private final Definitions definitions;
    private final Groups groups;
    private final Plans plans;
    private final PluginStates states;
    private final HistogramFlyweight histogram = new HistogramFlyweight();
    private final FieldsFlyweight rehearsed = new FieldsFlyweight();
    /** Field of each value of the record in rehearsal; {@link #NONE} for a text or histogram. */
    private final IntArrayList numbers = new IntArrayList();

    private final UnsafeBuffer block = new UnsafeBuffer(new byte[AggregateBlock.LENGTH]);

    /**
     * Creates an empty warehouse.
     *
     * @param pool of chunks
     * @param plugins of the pipeline
     * @param sketches of the pipeline
     */
    public Warehouse(ChunkPool pool, Plugins plugins, Sketches sketches) {
        this.pool = pool;
        this.plugins = plugins;
        this.sketches = sketches;
        hasPlugins = plugins.count() > 0;
        hasSketches = sketches.count() > 0;
        cells = new Cells(pool);
        defined = new Cells(pool);
        sketchCells = new SketchCells(cells);
        table = new CellTable(pool);
        Names names = new Names(cells, table);
        definitions = new Definitions(defined, names);
        groups = new Groups(pool, cells, table, names, plugins.count() + sketches.count());
        plans = new Plans(defined, definitions, groups);
        states = pool.isOffHeap()
                ? new BufferStates(plugins, cells, groups)
                : new HeapStates(plugins, pool, cells, groups);
    }

    /** Returns the groups, for reading. */
    public Groups groups() {
        return groups;
    }

    /** Returns the definitions of the current transmission. */
    public Definitions definitions() {
        return definitions;
    }

    /**
     * Returns the group with a key; the caller folds a record into the group next.
     *
     * @param key of a series not longer than {@link Definitions#LENGTH_MAX}
     * @return the group, created if new; {@link #NONE} when a limit is reached: see {@link #fullBecause}
     */
    public int group(GroupKey key) {
        int group = groups.find(key.hash(), key.buffer(), key.offset(), key.length());
        return group == NONE ? groups.add(key) : group;
    }

    /** Clears all definitions and plans and releases their memory; groups stay. */
    public void forget() {
        defined.clear();
        plans.forget();
    }

    /**
     * Plans the destinations of a record's values, immediately before the record is folded.
     *
     * @param group of the record
     * @param fields of the record
     * @param guess plan of the last record of the same series, nearly always right, or {@link #NONE}
     * @return the plan, valid until the next call for another group or set; {@link #NONE} when a limit is reached
     */
    @HotPath
    public int plan(int group, int fields, int guess) {
        return guess != NONE && plans.isFor(guess, group, fields) ? guess : plans.of(group, fields);
    }

    /**
     * Folds a record.
     *
     * @param plan of its group and fields
     * @param record whole; its values are finite
     * @return false when a limit is reached. The record may have been folded in part, and only {@link #clear} is
     *     permitted afterwards
     */
    @HotPath
    public boolean fold(int plan, RecordFlyweight record) {
        UnsafeBuffer chunk = defined.chunk(plan);
        int offset = Cells.offset(plan);
        int count = chunk.getInt(offset + Plans.COUNT);
        int fields = chunk.getInt(offset + Plans.FIELDS);
        UnsafeBuffer types = defined.chunk(fields);
        int firstType = definitions.types(fields);
        int bytes = record.firstBytes(count);
        for (int i = 0; i < count; i++) {
            int field = chunk.getInt(offset + Plans.VALUES + 4 * i);
            int type = types.getByte(firstType + i);
            int block = Cells.offset(field) + Groups.BLOCK;
            if (FieldType.isBytes(type)) {
                foldBytes(field, record, i, type, bytes);
                bytes = RecordFlyweight.nextBytes(bytes, record.bits(i));
                continue;
            }
            double value = record.asDouble(i, type);
            AggregateBlock.fold(cells.chunk(field), block, value);
            if (hasPlugins && !states.fold(field, value, record.timeNs())) {
                return false;
            }
        }
        return !hasSketches || foldSketches(plan, record);
    }

    private void foldBytes(int field, RecordFlyweight record, int n, int type, int bytes) {
        int block = Cells.offset(field) + Groups.BLOCK;
        if (type == FieldType.TEXT.code()) {
            AggregateBlock.foldText(cells.chunk(field), block);
        } else {
            AggregateBlock.fold(
                    cells.chunk(field), block, histogram.wrap(record.buffer(), bytes, (int) record.bits(n)));
        }
    }

    /**
     * Merges a pre-aggregated record. Only valid without plugins and sketches.
     *
     * @param plan of the group and fields of the record
     * @param partial whole
     */
    public void merge(int plan, PartialFlyweight partial) {
        UnsafeBuffer chunk = defined.chunk(plan);
        int offset = Cells.offset(plan);
        int count = chunk.getInt(offset + Plans.COUNT);
        for (int i = 0; i < count; i++) {
            int field = chunk.getInt(offset + Plans.VALUES + 4 * i);
            partial.block(i, block, 0);
            AggregateBlock.merge(cells.chunk(field), Cells.offset(field) + Groups.BLOCK, block, 0);
        }
    }

    /** Returns whether pre-aggregated records can be merged: the warehouse has neither plugins nor sketches. */
    public boolean takesPartials() {
        return !hasPlugins && !hasSketches;
    }

    private boolean foldSketches(int plan, RecordFlyweight record) {
        UnsafeBuffer chunk = defined.chunk(plan);
        int offset = Cells.offset(plan);
        int count = chunk.getInt(offset + Plans.COUNT);
        int fields = chunk.getInt(offset + Plans.FIELDS);
        UnsafeBuffer types = defined.chunk(fields);
        int firstType = definitions.types(fields);
        int bytes = record.firstBytes(count);
        for (int i = 0; i < count; i++) {
            int type = types.getByte(firstType + i);
            if (!foldSketches(chunk.getInt(offset + Plans.VALUES + 4 * i), record, i, type, bytes)) {
                return false;
            }
            if (FieldType.isBytes(type)) {
                bytes = RecordFlyweight.nextBytes(bytes, record.bits(i));
            }
        }
        return true;
    }

    private boolean foldSketches(int field, RecordFlyweight record, int n, int type, int bytes) {
        for (int i = 0; i < sketches.count(); i++) {
            SketchKind kind = sketches.kind(i);
            int length = kind.itemLength(record, n, type);
            if (length > 0) {
                int state = plugins.count() + i;
                int cell = groups.stateOf(field, state);
                int now = sketchCells.fold(cell, kind, length, record, n, type, bytes);
                if (now == NONE) {
                    return false;
                }
                if (now != cell) {
                    groups.stateOf(field, state, now);
                }
            }
        }
        return true;
    }

    /**
     * Returns the state of an aggregator plugin for a field, for reading.
     *
     * @param field the field
     * @param plugin index among the plugins of the pipeline
     * @return the state; null when the field has no number
     */
    public @Nullable Object state(int field, int plugin) {
        return states.read(field, plugin);
    }

    /**
     * Returns a sketch of a field.
     *
     * @param field the field
     * @param kind kind of sketch kept by the pipeline
     * @return a copy of the sketch; null when the field has no value for the sketch
     */
    public @Nullable Sketch sketch(int field, SketchKind kind) {
        int cell = groups.stateOf(field, plugins.count() + sketches.indexOf(kind));
        return cell == NONE ? null : sketchCells.read(cell, kind);
    }

    /**
     * Folds the numbers of a record into copies of the states of the aggregator plugins and throws the exceptions of
     * the plugins; groups and states stay unchanged. On the heap, only records with a new field allocate, and the first
     * rehearsal of a state. The caller folds the record next, unless a plugin threw.
     *
     * @param group of the record; {@link #NONE} without a group
     * @param fields of the record
     * @param record whole; its values are finite
     */
    @HotPath
    public void rehearse(int group, int fields, RecordFlyweight record) {
        rehearsed.wrap(definitions.buffer(fields), definitions.offset(fields));
        if (group != NONE && findNumbers(group)) {
            rehearseOnTwins(record);
        } else {
            rehearseOnCopies(group, record);
        }
    }

    /** Finds the fields of the numbers of a record; returns false when a field cannot be rehearsed on twins. */
    private boolean findNumbers(int group) {
        numbers.clear();
        int name = rehearsed.first();
        for (int i = 0; i < rehearsed.count(); i++) {
            if (FieldType.isBytes(rehearsed.type(name))) {
                numbers.addInt(NONE);
            } else {
                int field =
                        groups.findField(group, rehearsed.buffer(), rehearsed.name(name), rehearsed.nameLength(name));
                if (field == NONE || !states.isReadyToRehearse(field)) {
                    return false;
                }
                numbers.addInt(field);
            }
            name = rehearsed.next(name);
        }
        return true;
    }

    private void rehearseOnTwins(RecordFlyweight record) {
        boolean isAdmitted = false;
        try {
            int name = rehearsed.first();
            for (int i = 0; i < numbers.size(); i++) {
                int field = numbers.getInt(i);
                if (field != NONE) {
                    states.rehearse(field, record.asDouble(i, rehearsed.type(name)), record.timeNs());
                }
                name = rehearsed.next(name);
            }
            isAdmitted = true;
        } finally {
            if (!isAdmitted) {
                dropTwins();
            }
        }
    }

    @ColdPath
    private void dropTwins() {
        for (int i = 0; i < numbers.size(); i++) {
            if (numbers.getInt(i) != NONE) {
                states.dropTwins(numbers.getInt(i));
            }
        }
    }

    @ColdPath
    private void rehearseOnCopies(int group, RecordFlyweight record) {
        Map<String, Object[]> copies = new HashMap<>(); // a record may have two fields of the same name
        DirectBuffer source = rehearsed.buffer();
        int name = rehearsed.first();
        for (int i = 0; i < rehearsed.count(); i++) {
            int type = rehearsed.type(name);
            if (!FieldType.isBytes(type)) {
                int nameOffset = rehearsed.name(name);
                int nameLength = rehearsed.nameLength(name);
                int field = group == NONE ? NONE : groups.findField(group, source, nameOffset, nameLength);
                Object[] copied = copies.computeIfAbsent(
                        RecordDecoder.text(source, nameOffset, nameLength), text -> copyStates(field));
                for (int plugin = 0; plugin < copied.length; plugin++) {
                    plugins.folding(plugin).fold(copied[plugin], record.asDouble(i, type), record.timeNs());
                    states.rehearseKeeping(plugin, copied[plugin]);
                }
            }
            name = rehearsed.next(name);
        }
    }

    private Object[] copyStates(int field) {
        Object[] copies = new Object[plugins.count()];
        for (int plugin = 0; plugin < copies.length; plugin++) {
            boolean isNew = field == NONE || groups.stateOf(field, plugin) == NONE;
            copies[plugin] = isNew ? plugins.folding(plugin).create() : states.copy(field, plugin);
        }
        return copies;
    }

    /** Counts memory used outside the warehouse against its limit; false when the limit is reached. */
    public boolean reserve(long bytes) {
        boolean isRoom = pool.reserve(bytes);
        if (!isRoom) {
            cells.full();
        }
        return isRoom;
    }

    /** Releases reserved memory. */
    public void release(long bytes) {
        pool.release(bytes);
    }

    /** Returns name and value of the reached limit, for the log. */
    public String fullBecause() {
        return cells.fullBecause().isEmpty() ? defined.fullBecause() : cells.fullBecause();
    }

    /** Clears all content and releases the memory. */
    @ColdPath
    public void clear() {
        forget();
        cells.clear();
        table.clear();
        groups.clear();
        states.clear();
    }
}
