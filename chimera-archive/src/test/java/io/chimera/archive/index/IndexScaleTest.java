package io.chimera.archive.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.archive.index.ArchivedItems.Item;
import io.chimera.archive.index.key.KeyHash;
import io.chimera.archive.index.key.Probe;
import io.chimera.archive.index.key.SignatureKind;
import io.chimera.archive.index.record.IndexSettings;
import io.chimera.archive.streamfs.store.MemoryStreamStore;
import io.chimera.archive.streamfs.store.StreamStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cost of a search over many intervals, in counted reads and bytes. */
final class IndexScaleTest {
    private static final int BUNDLES = 8;
    private static final int GROUPS = 64;
    private static final int GROUP_INTERVALS = 16;
    private static final int INTERVALS = BUNDLES * GROUPS * GROUP_INTERVALS;
    private static final int ITEMS = 60;

    private final MemoryStreamStore store = new MemoryStreamStore();

    private ArchivedItems write(SignatureKind kind) {
        IndexSettings settings = new IndexSettings(ArchivedItems.KEYS, kind, 10, 12, 1_000, GROUP_INTERVALS, GROUPS);
        ArchivedItems items = new ArchivedItems(store, settings);
        Random random = new Random(6);
        for (int i = 0; i < INTERVALS; i++) {
            List<Item> interval = new ArrayList<>();
            for (int j = 0; j < ITEMS; j++) {
                interval.add(new Item(i * 1_000L + j, random.nextInt(1 << 30), j, i));
            }
            items.write(interval);
        }
        while (items.writer().doWork(0) > 0) {
            // one record each
        }
        return items;
    }

    @ParameterizedTest
    @CsvSource({"SPLIT_BLOCK,2,0.05", "BLOOM,9,0.2"})
    void aMissReadsFewRecordsAndFewBytes(SignatureKind kind, int readsPerBundle, double shareOfBytes) {
        ArchivedItems items = write(kind);
        StreamStatus status = store.streams().get(items.indexStream());
        long visited = 0;
        long skipped = 0;
        long reads = 0;
        long bytes = 0;
        int misses = 200;
        try (IndexSearch search = items.index().search()) {
            for (int i = 0; i < misses; i++) {
                Probe miss = Probe.exact(ArchivedItems.A, KeyHash.of(-1L - i));
                SearchCounts counts = search.search(miss, Long.MIN_VALUE, Long.MAX_VALUE, interval -> true);
                assertThat(counts.intervalsVisited() + counts.intervalsSkipped() + counts.intervalsSkippedByGroup())
                        .isEqualTo(INTERVALS);
                visited += counts.intervalsVisited();
                skipped += counts.intervalsSkipped();
                reads += counts.indexReads();
                bytes += counts.indexBytes();
            }
        }
        double groupsRead = skipped / (double) GROUP_INTERVALS / misses;
        assertThat(groupsRead).isLessThan(0.01 * BUNDLES * GROUPS); // 12 bits: 1 in 200
        assertThat(visited / (double) misses).isLessThan(groupsRead); // 10 bits: 1 in 100
        assertThat(reads / (double) misses).isLessThan(readsPerBundle * BUNDLES + groupsRead + 1);
        assertThat(bytes / (double) misses).isLessThan(shareOfBytes * status.heldBytes());
    }

    @ParameterizedTest
    @CsvSource({"SPLIT_BLOCK", "BLOOM"})
    void anIntervalIsFoundByItsTimeAlone(SignatureKind kind) {
        ArchivedItems items = write(kind);
        try (IndexSearch search = items.index().search()) {
            List<Long> visited = new ArrayList<>();
            SearchCounts counts =
                    search.search(Probe.all(), 5_000_000, 5_000_500, interval -> visited.add(interval.number()));
            assertThat(visited).containsExactly(5_001L);
            assertThat(counts.indexReads()).isEqualTo(2);
            SearchCounts limited = search.search(Probe.all(), 5_000_000, Long.MAX_VALUE, interval -> false);
            assertThat(limited.intervalsVisited()).isOne();
            SearchCounts ranged = search.search(
                    Probe.range(ArchivedItems.V, 5_000, 5_001), Long.MIN_VALUE, Long.MAX_VALUE, interval -> true);
            assertThat(ranged.intervalsVisited()).isEqualTo(2);
            assertThat(ranged.indexReads()).isLessThanOrEqualTo(BUNDLES + 2);
        }
    }
}
