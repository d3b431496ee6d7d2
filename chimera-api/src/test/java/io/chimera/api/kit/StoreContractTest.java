package io.chimera.api.kit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.chimera.api.model.Row;
import io.chimera.api.spi.NoSettings;
import io.chimera.api.spi.Store;
import io.chimera.api.spi.VerifiableStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.opentest4j.AssertionFailedError;

/** A correct store passes the contract, and every violation is found. */
final class StoreContractTest {
    private TestInfo test;

    @BeforeEach
    void nameTheTest(TestInfo info) {
        test = info;
    }

    /** Overwrites rows by a given key, which may be the full row key or a part of the row key. */
    private static final class Table implements VerifiableStore {
        private final Map<Object, Row> rows;
        private final Function<Row, Object> key;

        Table(Map<Object, Row> rows, Function<Row, Object> key) {
            this.rows = rows;
            this.key = key;
        }

        @Override
        public String name() {
            return "table";
        }

        @Override
        public void write(List<Row> batch) {
            batch.forEach(row -> rows.put(key.apply(row), row));
        }

        @Override
        public List<Row> read(List<Row> written) {
            return List.copyOf(rows.values());
        }
    }

    private static class OfTable extends StoreContract {
        final Map<Object, Row> rows = new HashMap<>();
        private final Function<Row, Object> key;

        OfTable(Function<Row, Object> key) {
            this.key = key;
        }

        @Override
        protected Store store() {
            return new Table(rows, key);
        }

        @Override
        protected Record settings() {
            return new NoSettings();
        }

        @Override
        protected List<String> stored(String metric) {
            return rows.values().stream()
                    .filter(row -> row.metric().equals(metric))
                    .map(Row::toString)
                    .toList();
        }
    }

    @Nested
    final class Good extends OfTable {
        Good() {
            super(row -> List.of(row.metric(), row.tags(), row.timeMs(), row.isLong()));
        }
    }

    private <K extends StoreContract> K named(K kit) {
        kit.nameTheRows(test);
        return kit;
    }

    @Test
    void findsAStoreThatOnlyAppends() {
        assertThrows(AssertionFailedError.class, () -> named(new OfTable(row -> new Object()))
                .overwritesRowsThatAreWrittenAgain());
    }

    @Test
    void findsAStoreThatTakesTypesForOne() {
        assertThrows(AssertionFailedError.class, () -> named(
                        new OfTable(row -> List.of(row.metric(), row.tags(), row.timeMs())))
                .keepsRowsOfTwoTypesApart());
    }

    @Test
    void findsAStoreThatForgetsTags() {
        assertThrows(AssertionFailedError.class, () -> named(new OfTable(row -> List.of(row.metric(), row.timeMs())))
                .takesAFullBatch());
    }

    @Test
    void findsAStoreThatKeepsTheListItWasGiven() {
        List<List<Row>> batches = new ArrayList<>();
        StoreContract kit = named(new OfTable(row -> row) {
            @Override
            protected Store store() {
                return batches::add;
            }

            @Override
            protected List<String> stored(String metric) {
                return batches.stream().flatMap(List::stream).map(Row::toString).toList();
            }
        });

        assertThrows(AssertionFailedError.class, kit::keepsNothingOfTheBatch);
        assertEquals(1, batches.size());
    }
}
