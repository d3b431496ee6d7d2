package io.chimera.queue.dispatch;

import io.chimera.api.HotPath;
import io.chimera.common.cluster.Cycle;
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
 * The entries of a pass, batch by batch: for each record its part, its shard in each pipeline, the number by which the
 * pass names its fields, and those by which the bodies that it goes to name its series: one body per pipeline, for a
 * series has one part and one shard, unless the pipeline has keys. Part and shard are found out once per series and pass, the numbers once per series and
 * batch, nothing of it per record. The channel manager's thread; allocates where it grows.
 */
final class PassEntries {
    /** Instead of the number of a series in a body: the body has not defined it. */
    static final int UNDEFINED = -1;

    /**
     * Definitions of sets of fields that a receiver keeps before all numbers begin anew, except for one more batch: 1,000 sets
     * of 30 fields. Senders have some dozens; a sender that orders its fields at random defines a set with each point.
     */
    static final int FIELDS_BYTES_MAX = 512 << 10;

    private final int parts;
    private final int shards;
    private final List<Route> routes;
    private final BodyReader body = new BodyReader();
    private final DefinitionNumbers seriesNumbers = new DefinitionNumbers();
    private final DefinitionNumbers fieldsNumbers = new DefinitionNumbers(FIELDS_BYTES_MAX);

    /** By the number of a series in the batch. */
    private int[] seriesNumberOf = new int[64];

    /** By the number of a series in the pass. */
    private int[] partOf = new int[64];

    private long[] keyHashOf = new long[64];

    /** The shards of a series, one for each route. */
    private int[] shardsOf;

    /** The keys of a series in the slices of its shards, one for each route; null where receivers take whole shards. */
    private int[] slicesOf;

    /** The numbers of a series in the bodies that it goes to, one for each route. */
    private int[] numbersOf;

    /** The series of the record that was stepped to. */
    private int seriesNumber;

    /** By the number of a set of fields in the batch. */
    private int[] fieldsNumberOf = new int[64];

    private int generation;

    /**
     * No entries yet.
     *
     * @param isSliced whether a receiver takes less than its whole shard
     */
    PassEntries(Cycle cycle, List<Route> routes, boolean isSliced) {
        parts = cycle.parts();
        shards = cycle.shards();
        this.routes = routes;
        shardsOf = new int[64 * routes.size()];
        numbersOf = new int[64 * routes.size()];
        slicesOf = isSliced ? new int[64 * routes.size()] : null;
    }

    /** Begins to walk a batch, which was checked. */
    void open(DirectBuffer buffer, int offset) {
        if (seriesNumbers.isFull() || fieldsNumbers.isFull()) {
            seriesNumbers.clear();
            fieldsNumbers.clear();
            generation++;
        }
        body.wrapBatch(buffer, offset);
    }

    /** Steps to the next record. */
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
            throw new IllegalStateException("A batch that was checked holds fewer records than it says.");
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
        partOf[number] = SeriesHash.part(keyHash, parts);
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

    /** The record that was stepped to. */
    RecordFlyweight record() {
        return body.record();
    }

    /** The definition of its series. */
    SeriesFlyweight series() {
        return body.seriesOfRecord();
    }

    /** The definition of its fields. */
    FieldsFlyweight fields() {
        return body.fieldsOfRecord();
    }

    /** Its part. */
    @HotPath
    int part() {
        return partOf[seriesNumber];
    }

    /**
     * Its shard in the pipeline of a route; {@link Route#NO_SHARD} when that does not take it, {@link Route#BEFORE} when blocks
     * come first, {@link Route#KEYED} when it depends on the record.
     */
    @HotPath
    int shard(int route) {
        return routes.get(route).takesInput(record().input())
                ? shardsOf[seriesNumber * routes.size() + route]
                : Route.NO_SHARD;
    }

    /** Whether its {@link #shard} by a route belongs to a slice there. */
    @HotPath
    boolean isIn(Slice slice, int route) {
        return slicesOf == null || slice.has(slicesOf[seriesNumber * routes.size() + route]);
    }

    /** Changes when all numbers begin anew. */
    int generation() {
        return generation;
    }

    @HotPath
    long keyHash() {
        return keyHashOf[seriesNumber];
    }

    /** Number of its series in the pass. */
    @HotPath
    int seriesNumber() {
        return seriesNumber;
    }

    /** Number of its series in the body of a route, or {@link #UNDEFINED}. */
    @HotPath
    int seriesNumber(int route) {
        return numbersOf[seriesNumber * routes.size() + route];
    }

    /** Remembers the number that the body of a route has given its series, until all numbers begin anew. */
    void seriesNumber(int route, int number) {
        numbersOf[seriesNumber * routes.size() + route] = number;
    }

    /** Number of its fields in the pass. */
    @HotPath
    int fieldsNumber() {
        return fieldsNumberOf[record().fields()];
    }

    /** Index of the definition of the record's series in its buffer. */
    int seriesOffset() {
        return body.seriesOfRecord().offset();
    }

    int seriesLength() {
        return body.seriesOfRecord().length();
    }

    /** Index of the definition of the record's fields in its buffer. */
    int fieldsOffset() {
        return body.fieldsOfRecord().offset();
    }

    int fieldsLength() {
        return body.fieldsOfRecord().length();
    }
}
