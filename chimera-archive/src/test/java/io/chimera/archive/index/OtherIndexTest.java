package io.chimera.archive.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.archive.index.ArchivedItems.Item;
import io.chimera.archive.index.key.KeyHash;
import io.chimera.archive.index.key.Probe;
import io.chimera.archive.index.key.SignatureKind;
import io.chimera.archive.index.record.IndexSettings;
import io.chimera.archive.streamfs.store.MemoryStreamStore;
import io.chimera.archive.streamfs.store.StreamStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An index of another version, or with other keys, counts as missing: no answer is incomplete, and the index is
 * rebuilt.
 */
final class OtherIndexTest {
    private static final int BUNDLE = 64 * 4;
    private static final int REBUILT_MAX = 4 * BUNDLE;
    private static final int INTERVALS = REBUILT_MAX + 2 * BUNDLE + 10;
    private static final IndexSettings SETTINGS =
            new IndexSettings(ArchivedItems.KEYS, SignatureKind.SPLIT_BLOCK, 10, 12, 1_000, 4, 64);

    private final MemoryStreamStore memory = new MemoryStreamStore();

    private ArchivedItems written(boolean isOfOtherKeys, int intervals) {
        StreamStore other = new OtherIndexStore(memory, isOfOtherKeys);
        ArchivedItems items = new ArchivedItems(other, SETTINGS);
        write(items, 0, intervals);
        items.writer().finish();
        items.reopen(memory);
        return items;
    }

    private static void write(ArchivedItems items, int from, int count) {
        for (int i = from; i < from + count; i++) {
            items.write(List.of(new Item(i * 1_000L, i, i % 7, i)));
        }
        while (items.writer().doWork(0) > 0) {
            // one record each
        }
    }

    private static SearchCounts search(Index index, long number, List<Long> visited) {
        Probe probe = Probe.exact(ArchivedItems.A, KeyHash.of(number - 1));
        try (IndexSearch search = index.search()) {
            return search.search(probe, Long.MIN_VALUE, Long.MAX_VALUE, interval -> visited.add(interval.number()));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoeverReadsOnlyVisitsAllUnasked(boolean isOfOtherKeys) {
        ArchivedItems items = written(isOfOtherKeys, INTERVALS);
        List<Long> visited = new ArrayList<>();
        SearchCounts counts = search(items.openToRead(), 5, visited);
        assertThat(visited).hasSize(INTERVALS).isSorted().doesNotHaveDuplicates();
        assertThat(counts.intervalsUnindexed()).isEqualTo(INTERVALS);
        assertThat(counts.damaged()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theWriterIndexesTheNewestAgainAndVisitsTheOthersUnasked(boolean isOfOtherKeys) {
        ArchivedItems items = written(isOfOtherKeys, INTERVALS);
        assertThat(items.open()).isEqualTo(REBUILT_MAX);
        write(items, INTERVALS, 100);
        long[] numbers = {1, INTERVALS - REBUILT_MAX, INTERVALS - REBUILT_MAX + 1, INTERVALS, INTERVALS + 100};
        for (long number : numbers) {
            List<Long> visited = new ArrayList<>();
            SearchCounts counts = search(items.index(), number, visited);
            assertThat(visited).isSorted().doesNotHaveDuplicates().contains(number);
            assertThat(counts.intervalsUnindexed()).isEqualTo(INTERVALS - REBUILT_MAX);
            assertThat(counts.intervalsDamaged()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatWasIndexedAgainIsThereAtTheNextStart(boolean isOfOtherKeys) {
        ArchivedItems items = written(isOfOtherKeys, INTERVALS);
        items.open();
        write(items, INTERVALS, 10);
        items.writer().finish();
        assertThat(items.open()).isZero();
        List<Long> visited = new ArrayList<>();
        SearchCounts counts = search(items.index(), INTERVALS + 5, visited);
        assertThat(visited).contains(INTERVALS + 5L);
        assertThat(counts.intervalsUnindexed()).isEqualTo(INTERVALS - REBUILT_MAX);
        assertThat(counts.intervalsSkippedByGroup()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSmallArchiveIsIndexedAgainAsAWhole(boolean isOfOtherKeys) {
        ArchivedItems items = written(isOfOtherKeys, REBUILT_MAX);
        assertThat(items.open()).isEqualTo(REBUILT_MAX);
        assertThat(search(items.index(), 1, new ArrayList<>()).intervalsUnindexed())
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCrashAheadOfTheFirstBundleLosesNothing(boolean isOfOtherKeys) {
        ArchivedItems items = written(isOfOtherKeys, 40);
        items.open();
        write(items, 40, 20);
        assertThat(items.open()).isEqualTo(60);
        assertThat(search(items.index(), 60, new ArrayList<>()).intervalsUnindexed())
                .isZero();
    }
}
