package io.chimera.archive.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.archive.index.ArchivedItems.Item;
import io.chimera.archive.index.key.KeyHash;
import io.chimera.archive.index.record.IndexSettings;
import io.chimera.archive.streamfs.store.MemoryStreamStore;
import io.chimera.common.metrics.AllocatedBytes;
import java.util.List;
import org.junit.jupiter.api.Test;

final class IndexAllocationTest {
    private long next;

    @Test
    void addingKeysAllocatesNothing() {
        IndexSettings settings = IndexSettings.of(ArchivedItems.KEYS);
        ArchivedItems items = new ArchivedItems(new MemoryStreamStore(), settings);
        items.write(List.of(new Item(1, 1, 1, 1)));
        IndexWriter writer = items.writer();
        assertThat(AllocatedBytes.of(() -> add(writer))).isZero();
    }

    private void add(IndexWriter writer) {
        for (int i = 0; i < 100; i++) {
            long value = next++ & 0x7FFF; // more values than an interval accepts
            if (!writer.isRecent(value, 1)) {
                writer.add(ArchivedItems.A, KeyHash.of(value));
                writer.add(ArchivedItems.B, KeyHash.of(value, 7));
            }
            writer.addRange(ArchivedItems.V, value);
        }
    }
}
