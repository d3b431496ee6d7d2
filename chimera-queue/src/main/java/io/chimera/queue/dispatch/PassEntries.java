package io.chimera.queue.dispatch;

import io.chimera.api.HotPath;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CycleGroups;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.BodyReader;
import io.chimera.common.wire.FieldsFlyweight;
import io.chimera.common.wire.RecordFlyweight;
import io.chimera.common.wire.SeriesFlyweight;
import io.chimera.common.wire.SeriesHash;
import io.chimera.common.wire.Slice;
import java.util.Arrays;
import java.util.List;
import org.agrona.DirectBuffer;

/**
 * Entries of a pass, batch by batch. Provides for each record its part, its shard in each pipeline, its field set
 * number in the pass, and its series numbers in the bodies. There is one body per pipeline, because a series has one
 * part and one shard, unless the pipeline has keys. Part and shard are computed once per series and pass, the numbers
 * once per series and batch, nothing per record. The channel manager's thread; allocates only when growing.
 */
final class PassEntries {
    /** Series number of a body without a definition of the series. */
    static final int UNDEFINED = -1;

    /** Limit of the series definitions before all numbers restart: 14,000 series of ten tags, or all short series. */
    private static final int SERIES_BYTES_MAX = 4 << 20;

    /**
     * Limit of the field set definitions that a receiver keeps before all numbers restart, except for the definitions
     * of one further batch: 1,000 sets of 30 fields. Senders usually have some dozens of sets; a sender with randomly
     * ordered fields defines a new set with each point.
     */
    static final int FIELDS_BYTES_MAX = 512 << 10;

    private final CycleGroups.Parts parts;
    private final int shards;
    private final List<Route> routes;
    private final BodyReader body = new BodyReader();
    private final DefinitionNumbers seriesNumbers = DefinitionNumbers.ofManyBodies(SERIES_BYTES_MAX);
    private final DefinitionNumbers fieldsNumbers = new DefinitionNumbers(FIELDS_BYTES_MAX);

    /** Series numbers of the pass, by the number of the series in the batch. */
    private int[] seriesNumberOf = new int[64];

    /** Parts, by the number of the series in the pass. */
    private int[] partOf = new int[64];

    private long[] keyHashOf = new long[64];

    /** Shards of a series, one per route. */
    private int[] shardsOf;

    /** Slice keys of a series within its shards, one per route; null when all receivers take whole shards. */
    private int[] slicesOf;

    /** Numbers of a series in its bodies, one per route. */
    private int[] numbersOf;

    /** Series number of the current record in the pass. */
    private int seriesNumber;

    /** Field set numbers of the pass, by the number of the field set in the batch. */
    private int[] fieldsNumberOf = new int[64];

    private int generation;

    /** Largest number of series in a body since all numbers restarted. */
    private int fullest;

    /**
     * Creates an instance without a batch.
     *
     * @param parts parts that may hold the records of the pass
     * @param isSliced whether a receiver takes only a slice of its shard
     */
    PassEntries(Cycle cycle, CycleGroups.Parts parts, List<Route> routes, boolean isSliced) {
        this.parts = parts;
        shards = cycle.shards();
        this.routes = routes;
        shardsOf = new int[64 * routes.size()];
        numbersOf = new int[64 * routes.size()];
        slicesOf = isSliced ? new int[64 * routes.size()] : null;
    }

    /** Begins to walk a validated batch. */
    void open(DirectBuffer buffer, int offset) {
        if (seriesNumbers.isFull() || fieldsNumbers.isFull() || fullest > DefinitionNumbers.BODY_MAX) {
            seriesNumbers.clear();
            fieldsNumbers.clear();
            fullest = 0;
            generation++;
        }
        body.wrapBatch(buffer, offset);
    }

    /** Moves to the next record. */
    @HotPath
    void next() {
        int kind = body.step();
        while (kind > BodyLayout.RECORD) {
            if (kind == BodyLayout.SERIES) {
                onSeries(body.series());
            } else if (kind == BodyLayout.FIELDS) {
                onFields(body.fields());
            }
            kind = body.step();
        }
        if (kind != BodyLayout.RECORD) {
            throw new IllegalStateException("A validated batch holds fewer records than its header states.");
        }
        seriesNumber = seriesNumberOf[body.record().series()];
    }

    private void onSeries(SeriesFlyweight definition) {
        int local = definition.number();
        if (local >= seriesNumberOf.length) {
            seriesNumberOf = Arrays.copyOf(seriesNumberOf, Math.max(local + 1, 2 * seriesNumberOf.length));
        }
        int known = seriesNumbers.count();
        int number =
                seriesNumbers.of(definition.buffer(), definition.offset(), definition.length(), definition.keyHash());
        if (number == known) {
            onNewSeries(number, definition);
        }
        seriesNumberOf[local] = number;
    }

    private void onNewSeries(int number, SeriesFlyweight definition) {
        if (number == partOf.length) {
            partOf = Arrays.copyOf(partOf, 2 * number);
            keyHashOf = Arrays.copyOf(keyHashOf, 2 * number);
            shardsOf = Arrays.copyOf(shardsOf, 2 * number * routes.size());
            numbersOf = Arrays.copyOf(numbersOf, 2 * number * routes.size());
            slicesOf = slicesOf == null ? null : Arrays.copyOf(slicesOf, 2 * number * routes.size());
        }
        long keyHash = definition.keyHash();
        keyHashOf[number] = keyHash;
        partOf[number] = parts.first() + SeriesHash.part(keyHash, parts.count());
        for (int i = 0; i < routes.size(); i++) {
            shardsOf[number * routes.size() + i] = routes.get(i).shard(definition, shards);
            numbersOf[number * routes.size() + i] = UNDEFINED;
            if (slicesOf != null && shardsOf[number * routes.size() + i] >= 0) {
                slicesOf[number * routes.size() + i] = routes.get(i).slice(definition, shards);
            }
        }
    }

    private void onFields(FieldsFlyweight definition) {
        int local = definition.number();
        if (local >= fieldsNumberOf.length) {
            fieldsNumberOf = Arrays.copyOf(fieldsNumberOf, Math.max(local + 1, 2 * fieldsNumberOf.length));
        }
        int offset = definition.offset() + BodyLayout.FIRST_FIELD;
        long hash = SeriesHash.of(definition.buffer(), offset, definition.length() - BodyLayout.FIRST_FIELD);
        fieldsNumberOf[local] = fieldsNumbers.of(definition.buffer(), definition.offset(), definition.length(), hash);
    }

    /** The current record. */
    RecordFlyweight record() {
        return body.record();
    }

    /** Series definition of the current record. */
    SeriesFlyweight series() {
        return body.seriesOfRecord();
    }

    /** Field set definition of the current record. */
    FieldsFlyweight fields() {
        return body.fieldsOfRecord();
    }

    /** Part of the current record. */
    @HotPath
    int part() {
        return partOf[seriesNumber];
    }

    /**
     * Shard of the current record in the pipeline of a route; {@link Route#NO_SHARD} when the pipeline does not take
     * the record, {@link Route#BEFORE} when blocks run first, {@link Route#KEYED} when the shards depend on the record.
     */
    @HotPath
    int shard(int route) {
        return routes.get(route).takesInput(record().input())
                ? shardsOf[seriesNumber * routes.size() + route]
                : Route.NO_SHARD;
    }

    /** Whether the current record belongs to a slice of its {@link #shard} by a route. */
    @HotPath
    boolean isIn(Slice slice, int route) {
        return slicesOf == null || slice.has(slicesOf[seriesNumber * routes.size() + route]);
    }

    /** Generation of the numbers; changes when all numbers restart. */
    int generation() {
        return generation;
    }

    @HotPath
    long keyHash() {
        return keyHashOf[seriesNumber];
    }

    /** Series number of the current record in the pass. */
    @HotPath
    int seriesNumber() {
        return seriesNumber;
    }

    /** Series number of the current record in the body of a route, or {@link #UNDEFINED}. */
    @HotPath
    int seriesNumber(int route) {
        return numbersOf[seriesNumber * routes.size() + route];
    }

    /** Stores the series number of the current record in the body of a route, until all numbers restart. */
    void seriesNumber(int route, int number) {
        numbersOf[seriesNumber * routes.size() + route] = number;
    }

    /** Records the number of series in a body: before the body runs out of numbers, all numbers restart. */
    void hasSeries(int count) {
        fullest = Math.max(fullest, count);
    }

    /** Field set number of the current record in the pass. */
    @HotPath
    int fieldsNumber() {
        return fieldsNumberOf[record().fields()];
    }

    /** Offset of the series definition in the record's buffer. */
    int seriesOffset() {
        return body.seriesOfRecord().offset();
    }

    int seriesLength() {
        return body.seriesOfRecord().length();
    }

    /** Offset of the field set definition in the record's buffer. */
    int fieldsOffset() {
        return body.fieldsOfRecord().offset();
    }

    int fieldsLength() {
        return body.fieldsOfRecord().length();
    }
}
