package io.chimera.processor.staging.warehouse;

import io.chimera.api.HotPath;
import io.chimera.api.model.FieldType;
import io.chimera.common.wire.AggregateBlock;
import io.chimera.common.wire.FieldsFlyweight;
import io.chimera.common.wire.GroupKey;
import io.chimera.common.wire.PartialFlyweight;
import io.chimera.common.wire.RecordDecoder;
import io.chimera.common.wire.RecordFlyweight;
import io.chimera.common.wire.SeriesFlyweight;
import io.chimera.processor.staging.sketch.Sketch;
import io.chimera.processor.staging.sketch.SketchKind;
import java.util.HashMap;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Common part of the warehouses on and off the heap: groups, names and sketches in a set of {@link Cells}; definitions
 * and plans of the current transmission in another set, which is released after the transmission. The pool decides
 * where the chunks are; the subclass decides where the states of aggregator plugins are.
 */
abstract class ChunkedWarehouse implements Warehouse {
    final Plugins plugins;
    final ChunkPool pool;
    final Cells cells;
    private final boolean hasPlugins;
    private final boolean hasSketches;
    private final Sketches sketches;
    private final SketchCells sketchCells;
    private final Cells defined;
    private final CellTable table;
    private final Names names;
    private final Definitions definitions;
    private final Groups groups;
    private final Plans plans;
    private final FieldsFlyweight rehearsed = new FieldsFlyweight();
    private final UnsafeBuffer block = new UnsafeBuffer(new byte[AggregateBlock.LENGTH]);

    ChunkedWarehouse(ChunkPool pool, Plugins plugins, Sketches sketches) {
        this.pool = pool;
        this.plugins = plugins;
        this.sketches = sketches;
        hasPlugins = plugins.count() > 0;
        hasSketches = sketches.count() > 0;
        cells = new Cells(pool);
        defined = new Cells(pool);
        sketchCells = new SketchCells(cells);
        table = new CellTable(pool);
        names = new Names(cells, table);
        definitions = new Definitions(defined, names);
        groups = new Groups(pool, cells, table, names, plugins.count() + sketches.count());
        plans = new Plans(defined, definitions, groups);
    }

    @Override
    public final int group(GroupKey key) {
        int group = groups.find(key.hash(), key.buffer(), key.offset(), key.length());
        return group == NONE ? groups.add(key) : group;
    }

    @Override
    public final int fields(FieldsFlyweight definition) {
        return definitions.keep(definition);
    }

    @Override
    public final int series(SeriesFlyweight definition) {
        return definitions.keep(definition);
    }

    @Override
    public final DirectBuffer definitionBuffer(int seriesOrFields) {
        return defined.chunk(seriesOrFields);
    }

    @Override
    public final int definitionOffset(int seriesOrFields) {
        return Definitions.definition(seriesOrFields);
    }

    @Override
    public final void forget() {
        defined.clear();
        plans.forget();
    }

    @Override
    @HotPath
    public final int plan(int group, int fields, int guess) {
        return guess != NONE && plans.isFor(guess, group, fields) ? guess : plans.of(group, fields);
    }

    @Override
    @HotPath
    public final boolean fold(int plan, RecordFlyweight record) {
        UnsafeBuffer chunk = defined.chunk(plan);
        int offset = Cells.offset(plan);
        int count = chunk.getInt(offset + Plans.COUNT);
        int fields = chunk.getInt(offset + Plans.FIELDS);
        UnsafeBuffer types = defined.chunk(fields);
        int firstType = definitions.types(fields);
        for (int i = 0; i < count; i++) {
            int field = chunk.getInt(offset + Plans.VALUES + 4 * i);
            int type = types.getByte(firstType + i);
            int block = Cells.offset(field) + Groups.BLOCK;
            if (type == FieldType.TEXT.code()) {
                AggregateBlock.foldText(cells.chunk(field), block);
                continue;
            }
            double value = record.asDouble(i, type);
            AggregateBlock.fold(cells.chunk(field), block, value);
            if (hasPlugins && !foldStates(field, value, record.timeNs())) {
                return false;
            }
        }
        return !hasSketches || foldSketches(plan, record);
    }

    @Override
    public final void merge(int plan, PartialFlyweight partial) {
        UnsafeBuffer chunk = defined.chunk(plan);
        int offset = Cells.offset(plan);
        int count = chunk.getInt(offset + Plans.COUNT);
        for (int i = 0; i < count; i++) {
            int field = chunk.getInt(offset + Plans.VALUES + 4 * i);
            partial.block(i, block, 0);
            AggregateBlock.merge(cells.chunk(field), Cells.offset(field) + Groups.BLOCK, block, 0);
        }
    }

    @Override
    public final boolean takesPartials() {
        return !hasPlugins && !hasSketches;
    }

    private boolean foldSketches(int plan, RecordFlyweight record) {
        UnsafeBuffer chunk = defined.chunk(plan);
        int offset = Cells.offset(plan);
        int count = chunk.getInt(offset + Plans.COUNT);
        int fields = chunk.getInt(offset + Plans.FIELDS);
        UnsafeBuffer types = defined.chunk(fields);
        int firstType = definitions.types(fields);
        int text = record.firstText(count);
        for (int i = 0; i < count; i++) {
            int type = types.getByte(firstType + i);
            if (!foldSketches(chunk.getInt(offset + Plans.VALUES + 4 * i), record, i, type, text)) {
                return false;
            }
            if (type == FieldType.TEXT.code()) {
                text = RecordFlyweight.nextText(text, record.bits(i));
            }
        }
        return true;
    }

    private boolean foldSketches(int field, RecordFlyweight record, int n, int type, int text) {
        for (int i = 0; i < sketches.count(); i++) {
            SketchKind kind = sketches.kind(i);
            int length = kind.itemLength(record, n, type);
            if (length > 0) {
                int state = plugins.count() + i;
                int cell = stateOf(field, state);
                int now = sketchCells.fold(cell, kind, length, record, n, type, text);
                if (now == NONE) {
                    return false;
                }
                if (now != cell) {
                    stateOf(field, state, now);
                }
            }
        }
        return true;
    }

    @Override
    public final Sketch sketch(int field, SketchKind kind) {
        int cell = stateOf(field, plugins.count() + sketches.indexOf(kind));
        return cell == NONE ? null : sketchCells.read(cell, kind);
    }

    /** Folds a number into the state of every plugin; false when a limit is reached. */
    abstract boolean foldStates(int field, double value, long timeNs);

    @Override
    public final void rehearse(int group, int fields, RecordFlyweight record) {
        Map<String, Object[]> copies = new HashMap<>(); // a record may have two fields of the same name
        rehearsed.wrap(defined.chunk(fields), Definitions.definition(fields));
        DirectBuffer source = rehearsed.buffer();
        int name = rehearsed.first();
        for (int i = 0; i < rehearsed.count(); i++) {
            int type = rehearsed.type(name);
            if (type != FieldType.TEXT.code()) {
                int nameOffset = rehearsed.name(name);
                int nameLength = rehearsed.nameLength(name);
                int field = group == NONE ? NONE : groups.findField(group, source, nameOffset, nameLength);
                Object[] states = copies.computeIfAbsent(
                        RecordDecoder.text(source, nameOffset, nameLength), text -> copyStates(field));
                for (int plugin = 0; plugin < states.length; plugin++) {
                    plugins.folding(plugin).fold(states[plugin], record.asDouble(i, type), record.timeNs());
                    rehearseKeeping(plugin, states[plugin]);
                }
            }
            name = rehearsed.next(name);
        }
    }

    private Object[] copyStates(int field) {
        Object[] copies = new Object[plugins.count()];
        for (int plugin = 0; plugin < copies.length; plugin++) {
            boolean isNew = field == NONE || stateOf(field, plugin) == NONE;
            copies[plugin] = isNew ? plugins.folding(plugin).create() : copyState(field, plugin);
        }
        return copies;
    }

    /** Returns a copy of a plugin's state, made with the folding instance. */
    abstract Object copyState(int field, int plugin);

    /** Throws the exception that {@link #foldStates} would throw when storing a state. */
    abstract void rehearseKeeping(int plugin, Object state);

    @Override
    public final boolean reserve(long bytes) {
        boolean isRoom = pool.reserve(bytes);
        if (!isRoom) {
            cells.full();
        }
        return isRoom;
    }

    @Override
    public final void release(long bytes) {
        pool.release(bytes);
    }

    @Override
    public final String fullBecause() {
        return cells.fullBecause().isEmpty() ? defined.fullBecause() : cells.fullBecause();
    }

    @Override
    public void clear() {
        forget();
        cells.clear();
        table.clear();
        groups.clear();
    }

    @Override
    public final int groups() {
        return groups.count();
    }

    @Override
    public final int firstGroup() {
        return groups.first();
    }

    @Override
    public final int nextGroup(int group) {
        return groups.next(group);
    }

    @Override
    public final int findGroup(long hash, DirectBuffer key, int offset, int length) {
        return groups.find(hash, key, offset, length);
    }

    @Override
    public final int keyOffset(int group) {
        return Cells.offset(group) + Groups.KEY;
    }

    @Override
    public final int keyLength(int group) {
        return groups.keyLength(group);
    }

    @Override
    public final long keyHash(int group) {
        return groups.keyHash(group);
    }

    @Override
    public final int tagCount(int group) {
        return groups.tagCount(group);
    }

    @Override
    public final int firstField(int group) {
        return groups.firstField(group);
    }

    @Override
    public final int nextField(int field) {
        return groups.nextField(field);
    }

    @Override
    public final int findField(int group, DirectBuffer name, int offset, int length) {
        return groups.findField(group, name, offset, length);
    }

    @Override
    public final DirectBuffer nameBuffer(int field) {
        return cells.chunk(groups.name(field));
    }

    @Override
    public final int nameOffset(int field) {
        return Names.offset(groups.name(field));
    }

    @Override
    public final int nameLength(int field) {
        return names.length(groups.name(field));
    }

    @Override
    public final int blockOffset(int field) {
        return Cells.offset(field) + Groups.BLOCK;
    }

    @Override
    public final DirectBuffer buffer(int cell) {
        return cells.chunk(cell);
    }

    /** Returns the state number of a plugin or, after the plugins, of a sketch; 0 if absent. */
    final int stateOf(int field, int plugin) {
        return groups.stateOf(field, plugin);
    }

    final void stateOf(int field, int plugin, int state) {
        groups.stateOf(field, plugin, state);
    }
}
