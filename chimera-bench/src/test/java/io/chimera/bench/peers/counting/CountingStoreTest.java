package io.chimera.bench.peers.counting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.api.model.Row;
import io.chimera.api.model.Tags;
import io.chimera.api.spi.Store;
import io.chimera.api.spi.StoreException;
import io.chimera.bench.peers.job.FieldTotal;
import io.chimera.bench.peers.job.ResultTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CountingStoreTest {
    private static final Tags TAGS = Tags.of(Map.of("host", "h", "az", "a"));

    private final CountingStore store = new CountingStore();

    @TempDir
    private Path folder;

    @BeforeEach
    void nameTheFile() {
        System.setProperty(CountingStore.RESULTS, folder.resolve("results").toString());
    }

    @AfterEach
    void forgetTheFile() {
        System.clearProperty(CountingStore.RESULTS);
    }

    @Test
    void isFoundAsAPluginByItsName() {
        assertThat(ServiceLoader.load(Store.class)).extracting(Store::name).contains("counting");
    }

    @Test
    void showsRowsAsTheyWereWrittenLast() throws StoreException {
        Row first = Row.ofLong("cpu.x.count", TAGS, 1, 2);
        Row second = Row.ofLong("cpu.x.count", Tags.of(TAGS.asMap()), 1, 3);

        store.write(List.of(first));
        store.write(List.of(second));

        assertThat(store.read(List.of(first, Row.ofLong("cpu.x.count", TAGS, 2, 2))))
                .containsExactly(second);
    }

    @Test
    void writesTheTotalsOfAllCyclesWhenItIsClosed() throws StoreException, IOException {
        store.write(cycle(1, 2, 10, 4, 6, 1));
        store.write(cycle(2, 1, 8, 8, 8, 0));
        store.write(cycle(2, 1, 8, 8, 8, 0)); // a replay
        store.close();

        FieldTotal total = ResultTable.read(folder.resolve("results")).total("my.cpu,az=a,host=h", "x");
        assertThat(total.count()).isEqualTo(3);
        assertThat(total.sum()).isEqualTo(18);
        assertThat(total.least()).isEqualTo(4);
        assertThat(total.greatest()).isEqualTo(8);
        assertThat(total.mean()).isEqualTo(6);
    }

    @Test
    void keepsTheNewestWindowsAndOfAllOthersTheTotals() throws StoreException, IOException {
        for (long timeMs = 1; timeMs <= 100; timeMs++) {
            store.write(cycle(timeMs, 1, (double) timeMs, (double) timeMs, (double) timeMs, 0));
        }

        assertThat(store.read(cycle(100, 1, 0, 0, 0, 0))).isEqualTo(cycle(100, 1, 100, 100, 100, 0));
        assertThat(store.read(cycle(1, 1, 1, 1, 1, 0))).isEmpty();
        assertThatThrownBy(() -> store.write(cycle(1, 1, 1, 1, 1, 0))).isInstanceOf(StoreException.class);
        store.close();
        FieldTotal total = ResultTable.read(folder.resolve("results")).total("my.cpu,az=a,host=h", "x");
        assertThat(total.count()).isEqualTo(100);
        assertThat(total.sum()).isEqualTo(5050);
        assertThat(total.greatest()).isEqualTo(100);
    }

    @Test
    void writesNoFileWhenItSawNoRow() {
        store.close();

        assertThat(Files.exists(folder.resolve("results"))).isFalse();
    }

    private static List<Row> cycle(
            long timeMs, long count, double sum, double least, double greatest, double variance) {
        return List.of(
                Row.ofLong("my.cpu.x.count", TAGS, timeMs, count),
                Row.ofDouble("my.cpu.x.sum", TAGS, timeMs, sum),
                Row.ofDouble("my.cpu.x.min", TAGS, timeMs, least),
                Row.ofDouble("my.cpu.x.max", TAGS, timeMs, greatest),
                Row.ofDouble("my.cpu.x.mean", TAGS, timeMs, sum / count),
                Row.ofDouble("my.cpu.x.variance", TAGS, timeMs, variance));
    }
}
