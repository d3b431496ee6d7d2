package io.chimera.archive.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.archive.index.ArchivedItems.Item;
import io.chimera.archive.index.key.KeyHash;
import io.chimera.archive.index.key.SignatureKind;
import io.chimera.archive.index.record.IndexSettings;
import io.chimera.archive.streamfs.store.MemoryStreamStore;
import io.chimera.archive.streamfs.store.RecordHandle;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class IndexRankTest {
    private static final IndexSettings SETTINGS =
            new IndexSettings(ArchivedItems.KEYS, SignatureKind.SPLIT_BLOCK, 10, 16, 1_000, 4, 64);

    private final MemoryStreamStore store = new MemoryStreamStore();
    private final ArchivedItems items = new ArchivedItems(store, SETTINGS);

    @Test
    void ranksTheMostFrequentValuesWithinBounds() {
        Random random = new Random(7);
        Map<Long, Long> counts = new HashMap<>();
        for (int i = 0; i < 600; i++) {
            List<Item> interval = new ArrayList<>();
            for (int j = 0; j < 50; j++) {
                double share = random.nextDouble();
                long value = (long) (1_000 * share * share * share * share);
                counts.merge(value, 1L, Long::sum);
                interval.add(new Item(i * 1_000L + j, 1, 2, value));
            }
            items.write(interval);
        }
        try (IndexSearch search = items.index().search()) {
            List<RankedValue> top = search.top(ArchivedItems.V, Long.MIN_VALUE, Long.MAX_VALUE, 5);
            assertThat(top).hasSize(5);
            assertThat(top.get(0).value()).isZero();
            for (RankedValue ranked : top) {
                assertThat(counts.get(ranked.value())).isBetween(ranked.atLeast(), ranked.atMost());
            }
            assertThat(search.top(ArchivedItems.V, 5_000, 5_049, 50)).hasSize(4).allMatch(one -> one.atLeast() > 0);
            assertThatThrownBy(() -> search.top(ArchivedItems.A, 0, 1, 1)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void anIndexThatCannotAppendIsNotReadyUntilItCan() {
        store.refuse(true);
        IndexWriter writer = items.writer();
        long number = 0;
        while (writer.isReady()) {
            number++;
            writer.add(ArchivedItems.A, KeyHash.of(number));
            writer.endInterval(new RecordHandle(number, number), number, number, number, 1);
            writer.doWork(0);
        }
        assertThat(number).isBetween(1L, 1_000L);
        long refused = number + 1;
        assertThatThrownBy(() -> writer.endInterval(new RecordHandle(1, 1), refused, refused, refused, 1))
                .isInstanceOf(IllegalStateException.class);
    }
}
