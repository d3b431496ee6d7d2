package io.chimera.faults.chaos.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class OracleTest {
    private static final long SEED = 7;
    private static final int LANE = 3;
    private static final int POINTS = LoadValues.POINTS_PER_KEY;

    private final Map<String, SortedMap<Long, Double>> counts = new HashMap<>();
    private final Map<String, SortedMap<Long, Double>> sums = new HashMap<>();

    @Test
    void findsNothingWhereEachPointIsThereOnce() {
        storeAll(0, 10, 1_000);

        RowVerdict verdict = compare(new Generation(LANE, 0, 10, false));

        assertThat(verdict.isGood()).isTrue();
        assertThat(verdict.findings()).isEmpty();
        assertThat(verdict.acknowledged()).isEqualTo(verdict.stored()).isEqualTo(10L * LoadValues.POINTS_PER_BATCH);
        assertThat(verdict.rows()).isEqualTo(10L * LoadValues.KEYS);
    }

    @Test
    void acceptsABatchThatWasNotAnsweredWholeOrNotAtAll() {
        storeAll(0, 5, 1_000);
        Generation inDoubt = new Generation(LANE, 0, 5, true);

        RowVerdict without = compare(inDoubt);
        storeAll(5, 6, 6_000);
        RowVerdict with = compare(inDoubt);

        assertThat(without.isGood()).isTrue();
        assertThat(without.ambiguousStored()).isZero();
        assertThat(with.isGood()).isTrue();
        assertThat(with.ambiguousStored()).isEqualTo(with.ambiguous()).isEqualTo(LoadValues.POINTS_PER_BATCH);
    }

    @Test
    void findsWhatIsLost() {
        storeAll(0, 10, 1_000);
        counts.get(name(2)).remove(5_000L);
        sums.get(name(2)).remove(5_000L);

        RowVerdict verdict = compare(new Generation(LANE, 0, 10, false));

        assertThat(verdict.lost()).isEqualTo(POINTS);
        assertThat(verdict.doubled() + verdict.corrupted()).isZero();
        assertThat(verdict.findings())
                .singleElement()
                .asString()
                .contains(name(2))
                .contains("6000 ms");
    }

    @Test
    void findsAKeyThatIsLostAltogether() {
        storeAll(0, 10, 1_000);
        counts.remove(name(1));
        sums.remove(name(1));

        assertThat(compare(new Generation(LANE, 0, 10, false)).lost()).isEqualTo(10L * POINTS);
    }

    @Test
    void findsWhatIsCountedTwice() {
        storeAll(0, 10, 1_000);
        store(0, 4, 5, 20_000);

        RowVerdict verdict = compare(new Generation(LANE, 0, 10, false));

        assertThat(verdict.doubled()).isEqualTo(POINTS);
        assertThat(verdict.lost() + verdict.corrupted()).isZero();
    }

    @Test
    void findsABatchInDoubtThatIsCountedTwice() {
        storeAll(0, 6, 1_000);
        storeAll(5, 6, 20_000);

        assertThat(compare(new Generation(LANE, 0, 5, true)).doubled()).isEqualTo(LoadValues.POINTS_PER_BATCH);
    }

    @Test
    void findsAPartOfABatchInDoubt() {
        storeAll(0, 5, 1_000);
        store(6, 5, 6, 6_000);

        RowVerdict verdict = compare(new Generation(LANE, 0, 5, true));

        assertThat(verdict.corrupted()).isEqualTo(1);
        assertThat(verdict.findings()).singleElement().asString().contains("1 of 8 keys");
    }

    @Test
    void findsHalfOfTheBatchOfAKey() {
        storeAll(0, 5, 1_000);
        counts.get(name(0)).put(6_000L, 1.0);
        sums.get(name(0)).put(6_000L, (double) LoadValues.value(SEED, LANE, 0, 0, 5L * POINTS));

        assertThat(compare(new Generation(LANE, 0, 5, true)).corrupted()).isEqualTo(1);
    }

    @Test
    void findsOnePointMissingWhereAnotherIsTwice() {
        storeAll(0, 10, 1_000);
        sums.get(name(3)).merge(4_000L, 1.0, Double::sum);

        RowVerdict verdict = compare(new Generation(LANE, 0, 10, false));

        assertThat(verdict.corrupted()).isEqualTo(1);
        assertThat(verdict.findings()).singleElement().asString().contains("4000 ms");
    }

    @Test
    void findsPointsInTheWrongCycle() {
        storeAll(0, 10, 1_000);
        SortedMap<Long, Double> sumsOfKey = sums.get(name(3));
        double first = sumsOfKey.get(1_000L);
        sumsOfKey.put(1_000L, sumsOfKey.get(2_000L));
        sumsOfKey.put(2_000L, first);

        assertThat(compare(new Generation(LANE, 0, 10, false)).corrupted()).isEqualTo(1);
    }

    @Test
    void findsACountWithoutItsSum() {
        storeAll(0, 10, 1_000);
        sums.get(name(3)).remove(4_000L);

        assertThat(compare(new Generation(LANE, 0, 10, false)).corrupted()).isEqualTo(1);
    }

    @Test
    void findsASumWithoutItsCount() {
        storeAll(0, 10, 1_000);
        sums.get(name(3)).put(99_000L, 1.0);

        assertThat(compare(new Generation(LANE, 0, 10, false)).corrupted()).isEqualTo(1);
    }

    @Test
    void findsWhatWasNeverSent() {
        storeAll(0, 10, 1_000);
        counts.put("stranger", new TreeMap<>(Map.of(1L, 1.0)));

        assertThat(compare(new Generation(LANE, 0, 10, false)).corrupted()).isEqualTo(1);
    }

    @Test
    void passesOnWhatTheStoreHasTwice() {
        storeAll(0, 10, 1_000);

        RowVerdict verdict = RowOracle.compare(
                SEED,
                List.of(new Generation(LANE, 0, 10, false)),
                new StoredRows(counts, sums, List.of("p1 has two rows of it.")));

        assertThat(verdict.corrupted()).isEqualTo(1);
        assertThat(verdict.findings()).containsExactly("p1 has two rows of it.");
    }

    @Test
    void summarisesWhatIsWrongEverywhere() {
        RowVerdict verdict = RowOracle.compare(
                SEED,
                IntStream.range(0, 100)
                        .mapToObj(number -> new Generation(LANE, number, 1, false))
                        .toList(),
                new StoredRows(counts, sums, List.of()));

        assertThat(verdict.lost()).isEqualTo(100L * LoadValues.POINTS_PER_BATCH);
        assertThat(verdict.findings()).hasSize(50);
    }

    private RowVerdict compare(Generation generation) {
        return RowOracle.compare(SEED, List.of(generation), new StoredRows(counts, sums, List.of()));
    }

    private static String name(int key) {
        return LoadValues.keyName(LANE, 0, key);
    }

    /** Stores batches of all keys, each batch in its own cycle, a second apart. */
    private void storeAll(int fromBatch, int toBatch, long firstTimeMs) {
        for (int key = 0; key < LoadValues.KEYS; key++) {
            store(key, fromBatch, toBatch, firstTimeMs);
        }
    }

    private void store(int key, int fromBatch, int toBatch, long firstTimeMs) {
        for (int batch = fromBatch; batch < toBatch; batch++) {
            long timeMs = firstTimeMs + (batch - fromBatch) * 1_000L;
            long from = (long) batch * POINTS;
            counts.computeIfAbsent(name(key), unseen -> new TreeMap<>()).put(timeMs, (double) POINTS);
            sums.computeIfAbsent(name(key), unseen -> new TreeMap<>())
                    .put(timeMs, (double) LoadValues.sum(SEED, LANE, 0, key, from, from + POINTS));
        }
    }
}
