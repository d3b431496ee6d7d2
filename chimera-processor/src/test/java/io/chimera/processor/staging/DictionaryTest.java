package io.chimera.processor.staging;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.processor.staging.warehouse.ChunkPool;
import io.chimera.processor.staging.warehouse.Plugins;
import io.chimera.processor.staging.warehouse.Sketches;
import io.chimera.processor.staging.warehouse.Warehouse;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;

final class DictionaryTest {
    private static final int MANY = 60_000;

    private final ChunkPool pool = new ChunkPool(false, 16 << 20, 1);
    private final Warehouse warehouse = new Warehouse(pool, Plugins.NONE, Sketches.NONE);
    private final Deque<Dictionary> home = new ArrayDeque<>();
    private final Dictionary dictionary = new Dictionary(home);

    private void define(int count) {
        for (int i = 0; i < count; i++) {
            assertThat(dictionary.defineSeries(i, i + 1, i + 2)).isTrue();
            assertThat(dictionary.defineFields(i + 3, i + 4)).isTrue();
        }
    }

    @Test
    void knowsWhatWasDefinedAndNothingElse() {
        dictionary.open(warehouse);
        define(MANY);
        for (int i = 0; i < MANY; i += 7) {
            assertThat(dictionary.keyHash(i)).isEqualTo(i);
            assertThat(dictionary.group(i)).isEqualTo(i + 1);
            assertThat(dictionary.definition(i)).isEqualTo(i + 2);
            assertThat(dictionary.plan(i)).isEqualTo(Warehouse.NONE);
            assertThat(dictionary.fields(i)).isEqualTo(i + 3);
            assertThat(dictionary.recordLength(i)).isEqualTo(i + 4);
        }
        assertThat(dictionary.group(MANY)).isEqualTo(Warehouse.NONE);
        assertThat(dictionary.fields(MANY)).isEqualTo(Warehouse.NONE);

        dictionary.forget();

        assertThat(dictionary.seriesCount()).isZero();
        assertThat(dictionary.group(0)).isEqualTo(Warehouse.NONE);
        assertThat(dictionary.fields(0)).isEqualTo(Warehouse.NONE);
    }

    @Test
    void remembersGroupAndPlanOfASeriesBesideEachOther() {
        dictionary.open(warehouse);
        assertThat(dictionary.defineSeries(5, Dictionary.PENDING, 9)).isTrue();
        assertThat(dictionary.group(0)).isEqualTo(Dictionary.PENDING);

        dictionary.group(0, Integer.MAX_VALUE);
        dictionary.plan(0, Integer.MAX_VALUE - 1);

        assertThat(dictionary.group(0)).isEqualTo(Integer.MAX_VALUE);
        assertThat(dictionary.plan(0)).isEqualTo(Integer.MAX_VALUE - 1);
        assertThat(dictionary.keyHash(0)).isEqualTo(5);
    }

    @Test
    void isCountedAgainstTheLimitAndLetsGoOfWhatALargeTransmissionTook() {
        dictionary.open(warehouse);
        define(MANY);
        assertThat(pool.bytesUsed()).isGreaterThan(28L * MANY);
        dictionary.close();
        assertThat(pool.bytesUsed()).isZero();
        assertThat(home).containsExactly(dictionary);

        dictionary.open(warehouse);
        define(1);

        assertThat(pool.bytesUsed()).isLessThan(4 << 10);
    }

    @Test
    void refusesBeyondTheLimit() {
        ChunkPool small = new ChunkPool(false, 16 << 10, 1);
        Warehouse full = new Warehouse(small, Plugins.NONE, Sketches.NONE);
        dictionary.open(full);
        int defined = 0;
        while (dictionary.defineSeries(1, 1, Warehouse.NONE)) {
            defined++;
        }

        assertThat(defined).isBetween(100, 1000);
        assertThat(full.fullBecause()).isEqualTo("processor.max_bytes = 16384");
        dictionary.close();
        assertThat(small.bytesUsed()).isZero();
    }
}
