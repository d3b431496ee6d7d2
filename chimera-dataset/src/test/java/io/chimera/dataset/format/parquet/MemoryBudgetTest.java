package io.chimera.dataset.format.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class MemoryBudgetTest {
    private final MemoryBudget budget = new MemoryBudget(100_000);

    @Test
    void keepsABufferThatIsLargeEnough() {
        byte[] buffer = budget.bytes(new byte[0], 5_000);

        assertThat(buffer).hasSizeBetween(5_000, 10_000);
        assertThat(budget.bytes(buffer, 4_000)).isSameAs(buffer);
    }

    @Test
    void countsTheBuffersOfAllTypesTogether() {
        budget.bytes(new byte[0], 30_000);
        budget.ints(new int[0], 8_000);

        assertThatThrownBy(() -> budget.longs(new long[0], 5_000))
                .isInstanceOf(ParquetDefect.class)
                .hasMessageContaining("5000");
    }

    @Test
    void aReplacedBufferDoesNotCount() {
        byte[] buffer = budget.bytes(new byte[0], 60_000);

        assertThat(budget.bytes(buffer, 90_000)).hasSizeGreaterThanOrEqualTo(90_000);
    }

    @Test
    void refusesLengthsThatNoArrayHas() {
        assertThatThrownBy(() -> budget.bytes(new byte[0], 1L << 40)).isInstanceOf(ParquetDefect.class);
        assertThatThrownBy(() -> budget.longs(new long[0], Long.MAX_VALUE)).isInstanceOf(ParquetDefect.class);
    }

    @Test
    void aQuarterIsForReads() {
        ParquetObject object = new ParquetObject(new byte[1]);

        assertThat(ReaderResources.of(object, 100_000, 5).windowBytes()).isEqualTo(5_000);
        assertThat(ReaderResources.of(object, 1L << 40, 1).windowBytes()).isEqualTo(1 << 28);
    }
}
