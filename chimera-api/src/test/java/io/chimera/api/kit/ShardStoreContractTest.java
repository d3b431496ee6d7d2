package io.chimera.api.kit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.chimera.api.model.CycleNumber;
import io.chimera.api.model.PipelineName;
import io.chimera.api.model.PipelinesDigest;
import io.chimera.api.model.Row;
import io.chimera.api.model.RowOrder;
import io.chimera.api.model.RowVersion;
import io.chimera.api.model.ShardIndex;
import io.chimera.api.model.SliceIndex;
import io.chimera.api.model.Tags;
import io.chimera.api.spi.NoSettings;
import io.chimera.api.spi.ShardStore;
import io.chimera.api.spi.ShardWrite;
import io.chimera.api.spi.StoreException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.function.Executable;
import org.opentest4j.AssertionFailedError;

/** A correct store passes the contract, and every violation is found. */
final class ShardStoreContractTest {
    private TestInfo test;

    @BeforeEach
    void nameTheTest(TestInfo info) {
        test = info;
    }

    /** Row with its version. */
    private record Versioned(Row row, long version) {}

    /** Tables of all instances; rows of the metric "bad" are refused. */
    private static class Table implements ShardStore {
        final Map<Object, Versioned> rows;
        final List<Row> open = new ArrayList<>();

        @Nullable
        ShardWrite shard;

        Table(Map<Object, Versioned> rows) {
            this.rows = rows;
        }

        @Override
        public String name() {
            return "table";
        }

        @Override
        public void begin(ShardWrite write) {
            shard = write;
            open.clear();
        }

        @Override
        public void write(List<Row> batch) throws StoreException {
            if (batch.stream().anyMatch(row -> row.tags().get("bad") != null)) {
                throw new StoreException("bad", false, null);
            }
            if (shard == null) {
                put(batch, RowVersion.NONE);
            } else {
                open.addAll(batch);
            }
        }

        @Override
        public void commit(ShardWrite write) {
            put(open, write.version());
            shard = null;
            open.clear();
        }

        void put(List<Row> batch, RowVersion version) {
            for (Row row : batch) {
                Versioned before = rows.get(key(row));
                if (before == null || before.version <= version.value()) {
                    rows.put(key(row), new Versioned(row, version.value()));
                }
            }
        }

        Object key(Row row) {
            return List.of(row.metric(), row.tags(), row.timeMs(), row.isLong());
        }

        @Override
        public void abort(ShardWrite write) {
            shard = null;
            open.clear();
        }
    }

    private static class OfTable extends ShardStoreContract {
        final Map<Object, Versioned> rows = new HashMap<>();

        @Override
        protected ShardStore store() {
            return new Table(rows);
        }

        @Override
        protected Record settings() {
            return new NoSettings();
        }

        @Override
        protected List<String> stored(String metric) {
            return rows.values().stream()
                    .filter(stored -> stored.row.metric().equals(metric))
                    .map(stored -> stored.row.toString())
                    .toList();
        }

        @Override
        protected Optional<Row> badRow(String metric) {
            return Optional.of(Row.ofLong(metric, Tags.of(Map.of("bad", "bad")), 1, 1));
        }
    }

    @Nested
    final class Good extends OfTable {}

    private <K extends ShardStoreContract> K named(K kit) {
        kit.nameTheRows(test);
        return kit;
    }

    private static void assertFinds(Executable call) {
        assertThrows(AssertionFailedError.class, call);
    }

    @Test
    void findsAStoreThatShowsRowsBeforeTheCommit() {
        OfTable kit = named(new OfTable() {
            @Override
            protected ShardStore store() {
                return new Table(rows) {
                    @Override
                    public void write(List<Row> batch) {
                        put(batch, shard == null ? RowVersion.NONE : shard.version());
                    }
                };
            }
        });

        assertFinds(kit::showsRowsAfterTheCommit);
        assertFinds(kit::showsNothingOfAnAbortedShard);
        assertFinds(kit::closeAbortsAnOpenShard);
    }

    @Test
    void findsAStoreThatKeepsRowsOfAnAbortedShard() {
        assertFinds(named(new OfTable() {
            @Override
            protected ShardStore store() {
                return new Table(rows) {
                    @Override
                    public void begin(ShardWrite write) {
                        shard = write;
                    }

                    @Override
                    public void abort(ShardWrite write) {}
                };
            }
        })::showsNothingOfAnAbortedShard);
    }

    @Test
    void findsAStoreThatCommitsWhenItIsClosed() {
        assertFinds(named(new OfTable() {
            @Override
            protected ShardStore store() {
                return new Table(rows) {
                    @Override
                    public void close() {
                        put(open, RowVersion.NONE);
                    }
                };
            }
        })::closeAbortsAnOpenShard);
    }

    @Test
    void findsAStoreThatKeysRowsByAttempt() {
        OfTable kit = named(new OfTable() {
            @Override
            protected ShardStore store() {
                return new Table(rows) {
                    @Override
                    Object key(Row row) {
                        return List.of(super.key(row), shard == null ? "" : shard);
                    }
                };
            }
        });

        assertFinds(kit::showsTheSameRowsAfterAKillBetweenAnyTwoCalls);
        assertFinds(kit::showsTheSameRowsWhenTwoAttemptsCommit);
        assertFinds(kit::showsTheSameRowsAfterAReplayWithAnotherNumberOfShards);
    }

    @Test
    void findsAStoreWithoutVersions() {
        OfTable kit = named(new OfTable() {
            @Override
            protected ShardStore store() {
                return new Table(rows) {
                    @Override
                    void put(List<Row> batch, RowVersion version) {
                        super.put(batch, RowVersion.NONE);
                    }
                };
            }
        });

        assertFinds(kit::keepsTheRowsOfTheHigherVersion);
        assertFinds(kit::keepsTheRowsOfAShardAgainstRowsWithoutAVersion);
    }

    @Test
    void findsAStoreThatDropsEarlierBatchesOfARefusal() {
        assertFinds(named(new OfTable() {
            @Override
            protected ShardStore store() {
                return new Table(rows) {
                    @Override
                    public void write(List<Row> batch) throws StoreException {
                        try {
                            super.write(batch);
                        } catch (StoreException e) {
                            open.clear();
                            throw e;
                        }
                    }
                };
            }
        })::keepsEarlierBatchesWhenARowIsRefused);
    }

    @Test
    void givesAReplayAHigherVersion() {
        CycleNumber live = new CycleNumber(7);
        CycleNumber replay = new CycleNumber(1_000_000_000_000_001L);

        assertEquals(7, shard(live, null).version().value());
        assertEquals(replay.value(), shard(replay, live).version().value());
    }

    private static ShardWrite shard(CycleNumber cycle, @Nullable CycleNumber repeats) {
        return new ShardWrite(
                cycle,
                repeats,
                0,
                new PipelineName("p"),
                new ShardIndex(0, 1),
                SliceIndex.WHOLE,
                0,
                new PipelinesDigest(""));
    }

    @Test
    void ordersRowsByMetricTagsTypeAndTime() {
        Tags a = Tags.of(Map.of("a", "1"));
        List<Row> ordered = List.of(
                Row.ofLong("m", Tags.NONE, 9, 1),
                Row.ofDouble("m", a, 2, 1),
                Row.ofLong("m", a, 1, 5),
                Row.ofLong("m", a, 2, 4),
                Row.ofLong("m", Tags.of(Map.of("a", "1", "b", "1")), 1, 1),
                Row.ofLong("m", Tags.of(Map.of("a", "2")), 1, 1),
                Row.ofLong("m", Tags.of(Map.of("b", "0")), 1, 1),
                Row.ofLong("n", Tags.NONE, 1, 1));
        List<Row> rows = new ArrayList<>(ordered);
        rows.sort(Comparator.comparing(Row::toString).reversed());
        rows.sort(RowOrder.BY_IDENTITY);

        assertEquals(ordered, rows);
    }
}
