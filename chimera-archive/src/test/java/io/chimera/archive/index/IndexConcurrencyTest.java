package io.chimera.archive.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.archive.index.ArchivedItems.Item;
import io.chimera.archive.index.key.KeyHash;
import io.chimera.archive.index.key.Probe;
import io.chimera.archive.index.key.SignatureKind;
import io.chimera.archive.index.record.IndexSettings;
import io.chimera.archive.streamfs.store.MemoryStreamStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class IndexConcurrencyTest {
    private static final int INTERVALS = 20_000;

    @Test
    @Timeout(value = 1_800, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void whatWasEndedBeforeASearchBeganIsFoundWhileTheWriterGoesOn() throws InterruptedException {
        IndexSettings settings = new IndexSettings(ArchivedItems.KEYS, SignatureKind.SPLIT_BLOCK, 10, 12, 100, 3, 64);
        ArchivedItems items = new ArchivedItems(new MemoryStreamStore(), settings);
        AtomicLong ended = new AtomicLong();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread writer = new Thread(() -> {
            try {
                for (long i = 1; i <= INTERVALS; i++) {
                    items.write(List.of(new Item(i, i % 100, i, i)));
                    ended.set(i);
                }
            } catch (Throwable e) {
                failure.set(e);
            }
        });
        writer.start();
        try (IndexSearch search = items.index().search()) {
            for (long number = 0; number < INTERVALS; ) {
                assertThat(failure.get()).isNull();
                number = ended.get();
                long newest = number;
                List<Long> visited = new ArrayList<>();
                search.search(
                        Probe.exact(ArchivedItems.A, KeyHash.of(newest % 100)),
                        Long.MIN_VALUE,
                        Long.MAX_VALUE,
                        interval -> visited.add(interval.number()));
                assertThat(visited).isSorted();
                for (long expected = newest; expected > 0; expected -= 100) {
                    assertThat(visited).contains(expected);
                }
            }
        }
        writer.join();
    }
}
