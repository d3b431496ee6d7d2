package io.chimera.archive.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.archive.index.ArchivedItems.Item;
import io.chimera.archive.index.key.KeyHash;
import io.chimera.archive.index.key.Probe;
import io.chimera.archive.index.key.SignatureKind;
import io.chimera.archive.index.record.BundleRecord;
import io.chimera.archive.index.record.IndexSettings;
import io.chimera.archive.index.record.RecordOutput;
import io.chimera.archive.streamfs.store.MemoryStreamStore;
import io.chimera.archive.streamfs.store.RecordView;
import io.chimera.common.error.ChimeraException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Damaged records of the index cost time, never an answer. */
final class DamagedIndexTest {
    private static final int INTERVALS = 64 * 4 * 3 + 10;
    private static final IndexSettings SETTINGS =
            new IndexSettings(ArchivedItems.KEYS, SignatureKind.SPLIT_BLOCK, 10, 12, 1_000, 4, 64);

    /** Lost intervals: at the start, within groups, and at the end. */
    private static final List<Long> LOST = List.of(1L, 2L, 100L, 301L, 302L, 777L, (long) INTERVALS);

    private final MemoryStreamStore memory = new MemoryStreamStore();
    private final DamagingStore store = new DamagingStore(memory);
    private final ArchivedItems items = new ArchivedItems(store, SETTINGS);

    private void write() {
        write(0);
    }

    private void write(int from) {
        for (int i = from; i < from + INTERVALS; i++) {
            items.write(List.of(new Item(i * 1_000L, i, i % 7, i), new Item(i * 1_000L + 10, i, i % 11, i + 1)));
        }
        while (items.writer().doWork(0) > 0) {
            // one record each
        }
    }

    private SearchCounts search(Index index, Probe probe, List<Long> visited) {
        try (IndexSearch search = index.search()) {
            return search.search(probe, Long.MIN_VALUE, Long.MAX_VALUE, interval -> visited.add(interval.number()));
        }
    }

    @Test
    void intervalsThatOutliveTheirIndexAreCountedOnceAndFound() {
        write();
        assertThat(items.writer().outlived()).isZero();
        memory.keep(items.indexStream(), 10);
        write(INTERVALS);
        long outlived = items.writer().outlived();
        assertThat(outlived).isBetween(2L * 64 * 4, 3L * 64 * 4);
        Probe probe = Probe.exact(ArchivedItems.A, KeyHash.of(1));
        List<Long> visited = new ArrayList<>();
        search(items.index(), probe, visited);
        assertThat(visited).containsAll(items.matching(probe, Long.MIN_VALUE, Long.MAX_VALUE));
    }

    @ParameterizedTest
    @CsvSource({"1,false", "1,true", "2,false", "2,true", "3,false", "3,true"})
    void intervalsOfDamagedRecordsAreVisited(int type, boolean isRefusedByStore) {
        write();
        store.damage(
                view -> view.stream() == items.indexStream() && view.buffer().getByte(RecordOutput.TYPE) == type,
                isRefusedByStore);
        for (int value = 0; value < INTERVALS; value += 50) {
            Probe probe = Probe.exact(ArchivedItems.A, KeyHash.of(value));
            List<Long> visited = new ArrayList<>();
            SearchCounts counts = search(items.index(), probe, visited);
            assertThat(visited).isSorted().containsAll(items.matching(probe, Long.MIN_VALUE, Long.MAX_VALUE));
            assertThat(counts.damaged()).isPositive();
        }
    }

    @Test
    void anIndexWithoutAReadableRecordIsRebuilt() {
        write();
        store.damage(view -> view.stream() == items.indexStream(), false);
        Index unindexed = items.openToRead();
        List<Long> visited = new ArrayList<>();
        assertThat(search(unindexed, Probe.exact(ArchivedItems.A, KeyHash.of(5)), visited)
                        .intervalsUnindexed())
                .isEqualTo(INTERVALS);
        assertThat(visited).hasSize(INTERVALS);
        assertThat(items.open()).isEqualTo(INTERVALS);
    }

    @Test
    void theNewestBundleIsRebuiltWhenItsRecordIsDamaged() {
        write();
        assertThat(items.open()).isEqualTo(10);
        store.damage(
                view -> view.stream() == items.indexStream()
                        && view.buffer().getByte(RecordOutput.TYPE) == BundleRecord.TYPE
                        && view.number() > memory.appended(items.indexStream()) - 10,
                true);
        assertThat(items.open()).isEqualTo(64 * 4 + 10);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void dataThatCouldNotBeReadAtARebuildIsFoundOnceItCan(boolean isIndexWritten) {
        write();
        store.damage(view -> view.stream() == items.indexStream(), false);
        store.refuse(this::isLost);
        assertThat(items.open()).isEqualTo(INTERVALS - LOST.size());
        store.damage(view -> false, false);
        if (isIndexWritten) {
            items.writer().finish();
        }
        for (long lost : LOST) {
            SearchCounts counts = search(items.index(), probeOf(lost), new ArrayList<>());
            assertThat(counts.intervalsDamaged()).isEqualTo(LOST.size());
        }
        store.refuse(view -> false);
        for (long lost : LOST) {
            List<Long> visited = new ArrayList<>();
            SearchCounts counts = search(items.index(), probeOf(lost), visited);
            assertThat(visited).isSorted().doesNotHaveDuplicates().containsAll(LOST);
            assertThat(counts.intervalsDamaged()).isZero();
            assertThat(counts.intervalsUnindexed()).isEqualTo(LOST.size());
            assertThat(visited(probeOf(lost), timeNs(lost), timeNs(lost))).contains(lost);
        }
    }

    @Test
    void dataThatIsDamagedAndNotIndexedIsCounted() {
        write();
        store.damage(view -> view.stream() == items.indexStream(), false);
        store.refuse(this::isLost);
        Index unindexed = items.openToRead();
        List<Long> visited = new ArrayList<>();
        SearchCounts counts = search(unindexed, Probe.all(), visited);
        assertThat(counts.intervalsDamaged()).isEqualTo(LOST.size());
        assertThat(visited).hasSize(INTERVALS - LOST.size()).doesNotContainAnyElementsOf(LOST);
    }

    @Test
    void damagedDataOfAnotherTimeIsNotCounted() {
        write();
        store.damage(view -> view.stream() == items.indexStream(), false);
        store.refuse(this::isLost);
        Index unindexed = items.openToRead();
        try (IndexSearch search = unindexed.search()) {
            assertThat(search.search(Probe.all(), timeNs(110), timeNs(200), interval -> true)
                            .intervalsDamaged())
                    .isZero();
            assertThat(search.search(Probe.all(), timeNs(299), timeNs(303), interval -> true)
                            .intervalsDamaged())
                    .isEqualTo(2);
            assertThat(search.search(Probe.all(), timeNs(302), timeNs(303), interval -> true)
                            .intervalsDamaged())
                    .isPositive();
        }
    }

    @Test
    void damagedDataIsCountedWhateverTheTimesAroundItWhereTimesComeInAnyOrder() {
        write();
        store.damage(view -> view.stream() == items.indexStream(), false);
        store.refuse(this::isLost);
        for (boolean isInOrder : new boolean[] {true, false}) {
            Index unindexed = items.openToRead(isInOrder ? SETTINGS : SETTINGS.inAnyOrder());
            try (IndexSearch search = unindexed.search()) {
                assertThat(search.search(Probe.all(), Long.MIN_VALUE, timeNs(50), interval -> true)
                                .intervalsDamaged())
                        .isEqualTo(isInOrder ? 2 : LOST.size());
            }
        }
    }

    @Test
    void aDeviceThatAnswersNothingIsAnErrorWithARemedy() {
        write();
        store.damage(view -> true, true);
        assertThatThrownBy(items::open)
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("in a row")
                .hasMessageContaining("Check the device");
    }

    private boolean isLost(RecordView view) {
        return view.stream() == items.data() && LOST.contains(view.number());
    }

    /** Returns the probe for the unique item of an interval. */
    private static Probe probeOf(long number) {
        return Probe.exact(ArchivedItems.A, KeyHash.of(number - 1));
    }

    private static long timeNs(long number) {
        return (number - 1) * 1_000 + 10;
    }

    private List<Long> visited(Probe probe, long afterNs, long beforeNs) {
        List<Long> visited = new ArrayList<>();
        try (IndexSearch search = items.index().search()) {
            search.search(probe, afterNs, beforeNs, interval -> visited.add(interval.number()));
        }
        return visited;
    }

    @Test
    void aProbeOfAKeyThatCannotAnswerIsAnErrorOfTheProgram() {
        try (IndexSearch search = items.index().search()) {
            assertThatThrownBy(() -> search.search(Probe.exact(ArchivedItems.V, 1), 0, 1, interval -> true))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> search.search(Probe.or(Probe.range(9, 1, 2)), 0, 1, interval -> true))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
