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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What every store has to pass, against what it writes to. Extend it in a test of the plugin. */
public abstract class StoreContract {
    /** For tests that extend it. */
    protected StoreContract() {}

    /** The store; a new one each time. */
    protected abstract Store store();

    /** Settings with which it works. */
    protected abstract Record settings();

    /** What it has stored, as {@code <metric> <tags> <time> <value>} in any order; each row once. */
    protected abstract List<String> stored() throws Exception;

    /** Settings that it must refuse, by a function that makes them; by default none. */
    protected List<Runnable> badSettings() {
        return List.of();
    }

    private Store opened() {
        Store store = store();
        store.open(new PluginContext("kit", Map.of(), settings()));
        return store;
    }

    private static List<Row> rows(int count, double offset) {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rows.add(Row.ofDouble("kit.value.mean", Tags.of(Map.of("row", "r" + i)), 1_700_000_000_000L, offset + i));
        }
        return rows;
    }

    /** It is chosen by it. */
    @Test
    void hasANameAndTakesABatch() {
        assertTrue(store().name().matches("[a-z0-9_]{1,64}"), "name: " + store().name());
        assertTrue(store().batchRowsMax() > 0, "a batch has at least one row");
    }

    /** No row at all asks whether the store takes rows. */
    @Test
    void takesNoRows() throws Exception {
        try (Store store = opened()) {
            store.write(List.of());
        }
    }

    /** A batch that failed is written again, and so is a cycle after a crash. */
    @Test
    void overwritesRowsThatAreWrittenAgain() throws Exception {
        try (Store store = opened()) {
            store.write(rows(3, 0));
            int once = stored().size();
            store.write(rows(3, 0));
            assertEquals(once, stored().size(), "rows of the same metric, tags, time and type are one row");
        }
    }

    /** A full batch is taken. */
    @Test
    void takesAFullBatch() throws Exception {
        try (Store store = opened()) {
            List<Row> rows = rows(Math.min(10_000, store.batchRowsMax()), 0);
            store.write(rows);
            assertTrue(stored().size() >= rows.size(), "all rows of a full batch are stored");
        }
    }

    /** After a restart everything goes on. */
    @Test
    void goesOnAfterARestart() throws Exception {
        try (Store store = opened()) {
            store.write(rows(2, 0));
        }
        try (Store store = opened()) {
            store.write(rows(4, 0));
            assertTrue(stored().size() >= 4);
        }
    }

    /** What was written can be read back, where the store says so. */
    @Test
    void readsBackWhatItWrote() throws Exception {
        try (Store store = opened()) {
            if (store instanceof VerifiableStore verifiable) {
                List<Row> rows = rows(3, 0.5);
                store.write(rows);
                assertEquals(rows.size(), verifiable.read(rows).size());
            }
        }
    }

    /** Closing is not the end of the world. */
    @Test
    void canBeClosedTwice() {
        Store store = opened();
        store.close();
        assertDoesNotThrow(store::close);
    }

    /** Whoever writes the configuration hears of it before a node starts. */
    @Test
    void refusesBadSettings() {
        for (Runnable bad : badSettings()) {
            assertThrows(IllegalArgumentException.class, bad::run);
        }
    }
}
