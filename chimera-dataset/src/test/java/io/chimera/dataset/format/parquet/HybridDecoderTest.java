package io.chimera.dataset.format.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class HybridDecoderTest {
    private final HybridDecoder decoder = new HybridDecoder();
    private final int[] values = new int[1000];

    @Test
    void readsRunsAndPackedValues() {
        // Five times 3, then the values 0 to 7 packed in three bits, as in the specification.
        open(3, 5 << 1, 3, (1 << 1) | 1, 0b10001000, 0b11000110, 0b11111010);

        decoder.read(values, 13);

        assertThat(Arrays.copyOf(values, 13)).containsExactly(3, 3, 3, 3, 3, 0, 1, 2, 3, 4, 5, 6, 7);
    }

    @Test
    void readsValuesOf32Bits() {
        open(32, 2 << 1, 0xFE, 0xFF, 0xFF, 0xFF);

        decoder.read(values, 2);

        assertThat(values[1]).isEqualTo(-2);
    }

    @Test
    void readsAnyNumberOfValuesOfNoBits() {
        open(0, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F);

        decoder.read(values, 1000);

        assertThat(values).containsOnly(0);
    }

    @Test
    void readsAPackedRunWithoutItsPadding() {
        open(3, (1 << 1) | 1, 0b10001000);

        decoder.read(values, 2);

        assertThat(Arrays.copyOf(values, 2)).containsExactly(0, 1);
        assertThatThrownBy(() -> decoder.read(values, 1)).isInstanceOf(ParquetDefect.class);
    }

    @Test
    void skipsOnlyAWholeRunOfTheWantedValue() {
        open(1, 10 << 1, 1, 10 << 1, 0);

        assertThat(decoder.skipRun(1, 7)).isTrue();
        assertThat(decoder.skipRun(1, 4)).isFalse();
        assertThat(decoder.skipRun(1, 3)).isTrue();
        assertThat(decoder.skipRun(1, 3)).isFalse();
        decoder.read(values, 10);
        assertThat(Arrays.copyOf(values, 10)).containsOnly(0);
    }

    @Test
    void refusesDamagedRuns() {
        fails(1);
        fails(1, 0, 1);
        fails(1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01);
        fails(9, 4, 1);
        assertThatThrownBy(() -> decoder.open(new byte[20], 0, 1, 33)).isInstanceOf(ParquetDefect.class);
    }

    private void fails(int width, int... bytes) {
        open(width, bytes);
        assertThatThrownBy(() -> decoder.read(values, 8)).isInstanceOf(ParquetDefect.class);
    }

    private void open(int width, int... bytes) {
        byte[] page = new byte[bytes.length + LittleEndian.SLACK];
        for (int i = 0; i < bytes.length; i++) {
            page[i] = (byte) bytes[i];
        }
        decoder.open(page, 0, bytes.length, width);
    }
}
