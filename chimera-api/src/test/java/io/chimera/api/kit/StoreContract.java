package io.chimera.api.kit;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.chimera.api.model.Row;
import io.chimera.api.model.Tags;
import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.Store;
import io.chimera.api.spi.VerifiableStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Contract test for stores, against the real storage. Extend this class in a test of the plugin. */
public abstract class StoreContract {
    private static final long TIME_MS = 1_700_000_000_000L;
    private static final long LOOK_NS = 10_000_000;

    private String metric;

    /** Called by subclasses. */
    protected StoreContract() {}

    /** Creates the store under test; a new object on every call. */
    protected abstract Store store();

    /** Returns valid settings. */
    protected abstract Record settings();

    /**
     * Returns the stored rows of a metric in any order; each row once, with tags, time, type and value.
     *
     * @param metric metric of the rows
     */
    protected abstract List<String> stored(String metric) throws Exception;

    /** Returns the maximum delay until {@link #stored} shows written rows; zero by default. */
    protected Duration showsWithin() {
        return Duration.ZERO;
    }

    /** Returns constructor calls with invalid settings, each of which must be refused; by default none. */
    protected List<Runnable> badSettings() {
        return List.of();
    }

    private Store opened() {
        Store store = store();
        store.open(new PluginContext("kit", Map.of(), settings()));
        return store;
    }

    /** Each test writes rows of a separate metric, because a store may outlive a test. */
    @BeforeEach
    void nameTheRows(TestInfo test) {
        metric = "kit." + test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT) + ".mean";
    }

    private List<Row> rows(int count, double offset) {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rows.add(Row.ofDouble(metric, Tags.of(Map.of("row", "r" + i)), TIME_MS, offset + i));
        }
        return rows;
    }

    private void awaitStored(Predicate<List<String>> holds, String expected) throws Exception {
        long endNs = System.nanoTime() + showsWithin().toNanos();
        List<String> stored = stored(metric);
        while (!holds.test(stored) && System.nanoTime() - endNs < 0) {
            LockSupport.parkNanos(LOOK_NS);
            stored = stored(metric);
        }
        assertTrue(holds.test(stored), expected + "; but the store has " + stored.size() + " rows: " + first(stored));
    }

    private static List<String> first(List<String> rows) {
        return rows.subList(0, Math.min(10, rows.size()));
    }

    /** The configuration selects the store by its name. */
    @Test
    void hasANameAndTakesABatch() {
        assertTrue(store().name().matches("[a-z0-9_]{1,64}"), "name: " + store().name());
        assertTrue(store().batchRowsMax() > 0, "a batch must allow at least one row");
    }

    /** An empty batch checks whether the store accepts rows. */
    @Test
    void takesNoRows() throws Exception {
        try (Store store = opened()) {
            store.write(List.of());
        }
    }

    /**
     * A failed batch is written again, and so are the rows of a cycle after a crash or a replay, possibly with other
     * values.
     */
    @Test
    void overwritesRowsThatAreWrittenAgain() throws Exception {
        try (Store store = opened()) {
            store.write(rows(3, 0));
            awaitStored(stored -> stored.size() == 3, "three rows");
            List<String> before = List.copyOf(stored(metric));
            store.write(rows(3, 0));
            store.write(rows(3, 0.25));
            awaitStored(
                    stored -> stored.size() == 3 && Collections.disjoint(stored, before),
                    "one row per metric, tags, time and type, with the last written value; before they were " + before);
        }
    }

    /** A count and a mean may have the same name. */
    @Test
    void keepsRowsOfTwoTypesApart() throws Exception {
        try (Store store = opened()) {
            store.write(List.of(Row.ofDouble(metric, Tags.of(Map.of("row", "r")), TIME_MS, 1.5)));
            store.write(List.of(Row.ofLong(metric, Tags.of(Map.of("row", "r")), TIME_MS, 7)));
            awaitStored(stored -> stored.size() == 2, "two rows for two types");
        }
    }

    @Test
    void takesAFullBatch() throws Exception {
        try (Store store = opened()) {
            List<Row> rows = rows(Math.min(10_000, store.batchRowsMax()), 0);
            store.write(rows);
            awaitStored(stored -> stored.size() == rows.size(), "all rows of a full batch, " + rows.size());
        }
    }

    /** The caller of {@code write} reuses the list. */
    @Test
    void keepsNothingOfTheBatch() throws Exception {
        try (Store store = opened()) {
            List<Row> batch = new ArrayList<>(rows(3, 0));
            store.write(batch);
            batch.clear();
            awaitStored(stored -> stored.size() == 3, "the rows in the batch at the time of the write");
        }
    }

    /** A new instance of the store must accept and overwrite rows of an earlier instance. */
    @Test
    void goesOnAfterARestart() throws Exception {
        try (Store store = opened()) {
            store.write(rows(2, 0));
        }
        try (Store store = opened()) {
            store.write(rows(4, 0));
            awaitStored(stored -> stored.size() == 4, "four rows, including two rows from before the restart");
        }
    }

    /** Applies to a {@link VerifiableStore} only. */
    @Test
    void readsBackWhatItWrote() throws Exception {
        try (Store store = opened()) {
            if (store instanceof VerifiableStore verifiable) {
                List<Row> rows = rows(3, 0.5);
                store.write(rows.subList(0, 2));
                awaitStored(stored -> stored.size() == 2, "two rows");
                assertEquals(
                        Set.copyOf(rows.subList(0, 2)),
                        Set.copyOf(verifiable.read(rows)),
                        "read() must return the stored rows among the requested rows, with the stored values");
            }
        }
    }

    @Test
    void canBeClosedTwice() {
        Store store = opened();
        store.close();
        assertDoesNotThrow(store::close);
    }

    /** A node reports bad settings before the node starts. */
    @Test
    void refusesBadSettings() {
        for (Runnable bad : badSettings()) {
            assertThrows(IllegalArgumentException.class, bad::run);
        }
    }
}
