package io.chimera.bench.peers.counting;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.model.Row;
import io.chimera.api.model.Tags;
import io.chimera.api.spi.StoreException;
import io.chimera.bench.peers.job.ResultTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TagCountStoreTest {
    @TempDir
    Path folder;

    private final TagCountStore store = new TagCountStore();

    @AfterEach
    void forgetTheFile() {
        System.clearProperty(CountingStore.RESULTS);
    }

    private static Row row(String tag, long timeMs, double sum) {
        return Row.ofDouble("hashtag.count.sum", Tags.of(Map.of("tag", tag)), timeMs, sum);
    }

    @Test
    void readsBackWhatWasWrittenLast() throws StoreException {
        store.write(List.of(row("a", 1, 5), row("b", 1, 7)));
        store.write(List.of(row("a", 1, 6)));

        assertThat(store.read(List.of(row("a", 1, 0), row("b", 1, 0), row("a", 2, 0), row("c", 1, 0))))
                .containsExactly(row("a", 1, 6), row("b", 1, 7));
    }

    @Test
    void totalsAreOverAllCyclesEachCountedOnce() throws StoreException, IOException {
        for (int cycle = 1; cycle <= 30; cycle++) {
            store.write(List.of(row("a", cycle, 2)));
            store.write(List.of(row("a", cycle, 3)));
        }
        Path file = folder.resolve("results");
        System.setProperty(CountingStore.RESULTS, file.toString());

        store.close();

        assertThat(ResultTable.read(file).total("a", "count").count()).isEqualTo(90);
    }
}
