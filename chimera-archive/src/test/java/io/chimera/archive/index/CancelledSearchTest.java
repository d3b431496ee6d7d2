package io.chimera.archive.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.archive.index.ArchivedItems.Item;
import io.chimera.archive.index.key.KeyHash;
import io.chimera.archive.index.key.Probe;
import io.chimera.archive.index.key.SignatureKind;
import io.chimera.archive.index.record.IndexSettings;
import io.chimera.archive.streamfs.store.MemoryStreamStore;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CancelledSearchTest {
    private static final IndexSettings SETTINGS =
            new IndexSettings(ArchivedItems.KEYS, SignatureKind.SPLIT_BLOCK, 10, 16, 1_000, 4, 64);
    private static final int INTERVALS = 600;

    private final ArchivedItems items = new ArchivedItems(new MemoryStreamStore(), SETTINGS);

    @Test
    void aSearchThatIsCancelledVisitsNothingMoreThoughItsVisitorGoesOn() {
        write();
        try (IndexSearch search = items.index().search()) {
            SearchCounts counts = search.search(Probe.all(), Long.MIN_VALUE, Long.MAX_VALUE, interval -> {
                if (interval.number() == 100) {
                    search.cancel();
                }
                return true;
            });
            assertThat(counts.intervalsVisited()).isEqualTo(100);
        }
    }

    @Test
    void aSearchThatFindsNothingEndsWhenItIsCancelledToo() {
        write();
        Probe nowhere = Probe.exact(ArchivedItems.A, KeyHash.of(-1));
        try (IndexSearch search = items.index().search()) {
            SearchCounts whole = search.search(nowhere, Long.MIN_VALUE, Long.MAX_VALUE, interval -> true);
            assertThat(whole.intervalsSkippedByGroup() + whole.intervalsSkipped() + whole.intervalsVisited())
                    .isEqualTo(INTERVALS);
            search.cancel();
            SearchCounts cancelled = search.search(nowhere, Long.MIN_VALUE, Long.MAX_VALUE, interval -> true);
            assertThat(cancelled.intervalsSkippedByGroup() + cancelled.intervalsSkipped())
                    .isZero();
        }
    }

    private void write() {
        for (int i = 0; i < INTERVALS; i++) {
            items.write(List.of(new Item(i, i, i, i)));
        }
    }
}
