package io.chimera.faults.sim.world;

import io.chimera.api.model.Row;
import io.chimera.api.model.Tags;
import io.chimera.api.spi.Store;
import io.chimera.common.config.pipeline.RowsConfig;
import io.chimera.common.row.RowNaming;
import io.chimera.processor.flusher.RowLetters;
import io.chimera.testkit.store.MemoryShardStore;
import io.chimera.testkit.store.MemoryStore;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * The two stores of a run, and the dead letters of all processors. In some runs the first store permanently refuses a
 * series, and in some runs both stores write shards as a whole.
 */
public final class SimStores implements RowLetters {
    private static final String PROBE = "probe";

    private final MemoryStore first;
    private final MemoryStore second;
    private final boolean writesShards;
    private final Tags poison;
    private final Set<StorePlace> letters = new HashSet<>();
    private Consumer<Violation> violated = violation -> {};

    /**
     * Creates empty stores.
     *
     * @param layout names the tags of the poison series
     * @param writesShards whether the stores write shards as a whole
     * @param random decides about the existence of a poison series, its identity, and the store's failure
     */
    public SimStores(int batchRowsMax, SimLayout layout, boolean writesShards, SplittableRandom random) {
        this.writesShards = writesShards;
        first = new MemoryStore(batchRowsMax);
        second = new MemoryStore(batchRowsMax);
        boolean hasProbe = random.nextBoolean();
        if (hasProbe) {
            Row probe = Row.ofLong(PROBE, Tags.of(Map.of(PROBE, PROBE)), 1, 1);
            first.probeRow(probe);
            second.probeRow(probe);
        }
        poison = hasProbe && random.nextBoolean() ? tags(layout, random.nextInt(SimPoint.SERIES)) : null;
        // a store that writes shards as a whole must report bad content as a refusal
        boolean isRefused = poison != null && (random.nextBoolean() || writesShards);
        // like KairosDB, which refuses rows without tags
        first.refuse(
                row -> row.tags().asMap().isEmpty() || (isRefused && row.tags().equals(poison)));
        second.refuse(row -> row.tags().asMap().isEmpty());
        if (poison != null && !isRefused) {
            first.failAt(row -> row.tags().equals(poison));
        }
    }

    /** Returns the tags of the rows of a series in the pipeline with separate rows for each series. */
    private static Tags tags(SimLayout layout, int series) {
        SimPoint point = SimPoint.of(0, 0, series, layout);
        RowsConfig own = layout.rows(SimPipelines.BY_SERIES);
        return new RowNaming(SimPipelines.BY_SERIES, own.prefix(), own.tags())
                .tags(Tags.of(Map.of(layout.group(), point.group(), layout.series(), point.series())));
    }

    public MemoryStore first() {
        return first;
    }

    public MemoryStore second() {
        return second;
    }

    /** Returns whether the stores write shards as a whole. */
    public boolean writeShards() {
        return writesShards;
    }

    /** Returns the stores of a processor by their names in the configuration. */
    Map<String, Store> byName() {
        return Map.of(SimLayout.FIRST, store(first), SimLayout.SECOND, store(second));
    }

    private Store store(MemoryStore table) {
        return writesShards
                ? new MemoryShardStore(table, misuse -> violated.accept(new Violation("ShardCalls", misuse)))
                : table;
    }

    /** Returns the stored row of a place, or null. */
    public Row row(StorePlace place) {
        return (place.store().equals(SimLayout.FIRST) ? first : second).row(place.key());
    }

    /** Sets the consumer of violations by wrong dead letters. */
    public void watch(Consumer<Violation> watcher) {
        violated = watcher;
    }

    public static boolean isProbe(Row row) {
        return row.metric().equals(PROBE);
    }

    /** Returns whether the store of the place permanently refuses its row. */
    public boolean isPoison(StorePlace place) {
        return place.store().equals(SimLayout.FIRST) && place.key().tags().equals(poison);
    }

    public boolean isInLetters(StorePlace place) {
        return letters.contains(place);
    }

    @Override
    public void write(long nowMs, String store, String pipeline, Row row, String reason) {
        StorePlace place = StorePlace.of(store, row);
        if (!isPoison(place)) {
            violated.accept(new Violation(
                    "DeadLetters",
                    String.format(
                            "Store %s accepts %s, but the row is in the dead letters: %s",
                            store, place.key(), reason)));
        }
        letters.add(place);
    }

    /**
     * NoLoss and NoDouble: checks that the row is in its place, or in the dead letters if its store permanently refuses
     * the row.
     */
    public void checkStored(StorePlace place, Row expected) {
        if (isPoison(place)) {
            Violation.unless(
                    letters.contains(place), "NoLoss", () -> "Neither the store nor the dead letters have " + place);
            return;
        }
        Row row = row(place);
        Violation.unless(
                expected.equals(row),
                row == null ? "NoLoss" : "NoDouble",
                () -> String.format("The store has %s instead of %s.", row, expected));
    }

    /** RowExact: checks that the stores have only the rows of these places, except the permanently refused rows. */
    public void checkCount(Set<StorePlace> places) {
        long expected = places.stream().filter(place -> !isPoison(place)).count();
        long held = count(first) + count(second);
        Violation.unless(
                held == expected,
                "RowExact",
                () -> String.format("The stores have %d rows instead of %d.", held, expected));
    }

    private static long count(MemoryStore store) {
        return store.rows().stream().filter(row -> !isProbe(row)).count();
    }
}
