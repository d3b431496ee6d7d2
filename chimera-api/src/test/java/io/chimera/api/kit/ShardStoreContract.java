package io.chimera.api.kit;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.chimera.api.model.CycleNumber;
import io.chimera.api.model.PipelineName;
import io.chimera.api.model.PipelinesDigest;
import io.chimera.api.model.Row;
import io.chimera.api.model.RowOrder;
import io.chimera.api.model.ShardIndex;
import io.chimera.api.model.SliceIndex;
import io.chimera.api.model.Tags;
import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.ShardStore;
import io.chimera.api.spi.ShardWrite;
import io.chimera.api.spi.StoreException;
import io.chimera.api.spi.VerifiableStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/**
 * Contract test for stores that write shards as a whole, against the real storage, in addition to {@link
 * StoreContract}. The processor may be killed between any two calls; another attempt, with another batch size, or a
 * replay with another number of shards must leave the same visible rows.
 */
public abstract class ShardStoreContract {
    private static final long TIME_MS = 1_700_000_000_000L;
    private static final int ROWS = 24;
    private static final CycleNumber LIVE = new CycleNumber(7);
    private static final CycleNumber REPLAY = new CycleNumber(1_000_000_000_000_001L);

    private String metric;

    /** Called by subclasses. */
    protected ShardStoreContract() {}

    /** Creates the store under test; a new object with connections of its own on every call. */
    protected abstract ShardStore store();

    /** Returns valid settings. */
    protected abstract Record settings();

    /**
     * Returns the visible rows of a metric in any order; each row once, with tags, time, type and value.
     *
     * @param metric metric of the rows
     */
    protected abstract List<String> stored(String metric) throws Exception;

    /**
     * Ends the connections of a store without a further call, like the death of its process. By default nothing: a
     * store without connections dies when the test drops the object.
     *
     * @param store the store
     */
    protected void kill(ShardStore store) throws Exception {}

    /**
     * Returns a row that the store can never hold; empty when the store holds every row.
     *
     * @param metric metric of the row
     */
    protected Optional<Row> badRow(String metric) {
        return Optional.empty();
    }

    private ShardStore opened() {
        ShardStore store = store();
        store.open(new PluginContext("kit", Map.of(), settings()));
        return store;
    }

    /** Each test writes rows of a separate metric, because a store may outlive a test. */
    @BeforeEach
    void nameTheRows(TestInfo test) {
        metric = "kit.shard." + test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT) + ".mean";
    }

    private ShardWrite shard(CycleNumber cycle, @Nullable CycleNumber repeats, ShardIndex shard, int attempt) {
        return new ShardWrite(
                cycle,
                repeats,
                TIME_MS,
                new PipelineName("kit"),
                shard,
                SliceIndex.WHOLE,
                attempt,
                new PipelinesDigest("kit"));
    }

    private ShardWrite live(int attempt) {
        return shard(LIVE, null, new ShardIndex(0, 1), attempt);
    }

    private ShardWrite replay() {
        return shard(REPLAY, LIVE, new ShardIndex(0, 1), 0);
    }

    /** Returns the rows of a shard in order: doubles and longs. */
    private List<Row> rows(ShardIndex shard, double offset) {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            Tags tags = Tags.of(Map.of("row", "r" + i, "host", "h" + i % 3));
            if (i % shard.count() == shard.index()) {
                rows.add(
                        i % 4 == 0
                                ? Row.ofLong(metric, tags, TIME_MS, i + (long) offset)
                                : Row.ofDouble(metric, tags, TIME_MS, i + offset));
            }
        }
        rows.sort(RowOrder.BY_IDENTITY);
        return rows;
    }

    private List<Row> rows(double offset) {
        return rows(new ShardIndex(0, 1), offset);
    }

    private Set<String> visible() throws Exception {
        List<String> stored = stored(metric);
        Set<String> once = new HashSet<>(stored);
        assertEquals(once.size(), stored.size(), "no row may be visible twice: " + stored);
        return once;
    }

    /** Writes rows in batches of at most a size. */
    private static void write(ShardStore store, List<Row> rows, int batch) throws StoreException {
        for (int from = 0; from < rows.size(); from += batch) {
            store.write(rows.subList(from, Math.min(rows.size(), from + batch)));
        }
    }

    private static void flush(ShardStore store, ShardWrite shard, List<Row> rows, int batch) throws StoreException {
        store.begin(shard);
        write(store, rows, batch);
        store.commit(shard);
    }

    /** A shard may have no rows. */
    @Test
    void commitsAShardWithoutRows() throws Exception {
        try (ShardStore store = opened()) {
            flush(store, live(0), List.of(), 1);
            store.begin(live(1));
            store.write(List.of());
            store.commit(live(1));
        }
        assertEquals(Set.of(), visible());
    }

    @Test
    void showsRowsAfterTheCommit() throws Exception {
        try (ShardStore store = opened()) {
            store.begin(live(0));
            write(store, rows(0), 5);
            assertEquals(Set.of(), visible(), "no row may be visible before the commit");
            store.commit(live(0));
            assertEquals(ROWS, visible().size(), "all rows must be visible after the commit");
        }
    }

    @Test
    void showsNothingOfAnAbortedShard() throws Exception {
        try (ShardStore store = opened()) {
            store.begin(live(0));
            write(store, rows(0), 5);
            store.abort(live(0));
            assertEquals(Set.of(), visible(), "no row of an aborted shard may be visible");
            flush(store, shard(new CycleNumber(8), null, new ShardIndex(0, 1), 0), rows(0).subList(0, 3), 5);
            assertEquals(3, visible().size(), "the next shard must not contain rows of the aborted shard");
        }
        assertEquals(3, visible().size(), "no row of an aborted shard may become visible later");
    }

    /** A processor closes its stores when it stops. */
    @Test
    void closeAbortsAnOpenShard() throws Exception {
        ShardStore store = opened();
        store.begin(live(0));
        write(store, rows(0), 5);
        store.close();
        assertDoesNotThrow(store::close);
        assertEquals(Set.of(), visible(), "no row of an open shard may become visible by close()");
    }

    /** The caller of {@code write} reuses the list. */
    @Test
    void keepsNothingOfTheBatchOfAShard() throws Exception {
        try (ShardStore store = opened()) {
            store.begin(live(0));
            List<Row> batch = new ArrayList<>(rows(0));
            store.write(batch);
            batch.clear();
            store.commit(live(0));
            assertEquals(ROWS, visible().size(), "the rows in the batch at the time of the write");
        }
    }

    /** The process dies between any two calls, and a new process repeats the shard with another batch size. */
    @Test
    void showsTheSameRowsAfterAKillBetweenAnyTwoCalls() throws Exception {
        List<Row> rows = rows(0);
        int calls = 2 + (rows.size() + 4) / 5;
        for (int survived = 0; survived <= calls; survived++) {
            ShardStore killed = opened();
            callFirst(killed, survived, rows);
            kill(killed);
            try (ShardStore store = opened()) {
                flush(store, live(survived + 1), rows, 7);
            }
            assertEquals(ROWS, visible().size(), "after a kill after " + survived + " calls");
        }
        Set<String> once = visible();
        try (ShardStore store = opened()) {
            flush(store, live(calls + 2), rows, ROWS);
        }
        assertEquals(once, visible(), "a repeated shard must leave the same rows");
    }

    private void callFirst(ShardStore store, int calls, List<Row> rows) throws StoreException {
        if (calls > 0) {
            store.begin(live(0));
        }
        for (int call = 1; call < calls && 5 * (call - 1) < rows.size(); call++) {
            store.write(rows.subList(5 * (call - 1), Math.min(rows.size(), 5 * call)));
        }
        if (5 * (calls - 2) >= rows.size()) {
            store.commit(live(0));
        }
    }

    /** A processor that lost its shard may still commit. */
    @Test
    void showsTheSameRowsWhenTwoAttemptsCommit() throws Exception {
        try (ShardStore late = opened();
                ShardStore store = opened()) {
            late.begin(live(0));
            write(late, rows(0), 5);
            flush(store, live(1), rows(0), 7);
            Set<String> once = visible();
            late.commit(live(0));
            assertEquals(once, visible());
        }
    }

    /** A replay repeats a cycle with the present number of processors. */
    @Test
    void showsTheSameRowsAfterAReplayWithAnotherNumberOfShards() throws Exception {
        try (ShardStore store = opened()) {
            for (int index = 0; index < 2; index++) {
                ShardIndex shard = new ShardIndex(index, 2);
                flush(store, shard(LIVE, null, shard, 0), rows(shard, 0), 5);
            }
            Set<String> before = visible();
            for (int index = 0; index < 5; index++) {
                ShardIndex shard = new ShardIndex(index, 5);
                flush(store, shard(REPLAY, LIVE, shard, 0), rows(shard, 0), 3);
            }
            assertEquals(before, visible());
        }
    }

    /** A replay with other pipelines overwrites rows, and a late attempt of the live cycle does not. */
    @Test
    void keepsTheRowsOfTheHigherVersion() throws Exception {
        try (ShardStore store = opened()) {
            flush(store, live(0), rows(0), 5);
            Set<String> before = visible();
            flush(store, replay(), rows(100), 5);
            Set<String> replayed = visible();
            assertNotEquals(before, replayed, "a replay must overwrite the rows of the live cycle");
            assertEquals(ROWS, replayed.size(), "a replay must not add rows");
            flush(store, live(1), rows(0), 5);
            assertEquals(replayed, visible(), "a late attempt of the live cycle must not overwrite a replay");
        }
    }

    /** The read-back of a late attempt must tell superseded rows from lost rows. */
    @Test
    void namesTheRowsOfAHigherVersion() throws Exception {
        try (ShardStore store = opened()) {
            if (!(store instanceof VerifiableStore)) {
                return;
            }
            List<Row> rows = rows(0);
            List<Row> replayed = rows(100).subList(0, 10);
            flush(store, live(0), rows, 5);
            assertEquals(Set.of(), Set.copyOf(store.superseding(rows, live(1).version())), "equal versions");
            flush(store, replay(), replayed, 5);
            assertEquals(
                    Set.copyOf(replayed),
                    Set.copyOf(store.superseding(rows, live(1).version())),
                    "the stored rows of the replay supersede rows of the live cycle");
            assertEquals(Set.of(), Set.copyOf(store.superseding(rows, replay().version())));
        }
    }

    /** Rows outside of shards have the lowest version. */
    @Test
    void keepsTheRowsOfAShardAgainstRowsWithoutAVersion() throws Exception {
        try (ShardStore store = opened()) {
            flush(store, live(0), rows(0), 5);
            Set<String> before = visible();
            store.write(rows(100));
            assertEquals(before, visible(), "rows without a cycle must not overwrite rows of a cycle");
        }
    }

    /** The flusher finds a bad row by halving, while earlier batches of the shard stay. */
    @Test
    void keepsEarlierBatchesWhenARowIsRefused() throws Exception {
        Row bad = badRow(metric).orElse(null);
        if (bad == null) {
            return;
        }
        List<Row> rows = rows(0);
        try (ShardStore store = opened()) {
            store.begin(live(0));
            store.write(rows.subList(0, 10));
            List<Row> batch = new ArrayList<>(rows.subList(10, 12));
            batch.add(bad);
            assertRefuses(store, batch);
            assertRefuses(store, List.of(bad));
            store.write(List.of());
            store.write(rows.subList(10, ROWS));
            store.commit(live(0));
        }
        assertEquals(ROWS, visible().size(), "all rows but the refused row");
    }

    private static void assertRefuses(ShardStore store, List<Row> batch) {
        StoreException refusal = assertThrows(StoreException.class, () -> store.write(batch));
        assertFalse(refusal.retryable(), "a refusal of content is not retryable: " + refusal.getMessage());
    }
}
