package io.chimera.bench.paper.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SaturationTest {

    @Test
    void comparesTheHalvesOfTheTime() {
        assertThat(saturation(List.of(2.0, 2.0, 1.0, 1.0), List.of()).lateToEarly())
                .isEqualTo(0.5);
    }

    @Test
    void comparesTheSlowestCycleWithTheMedian() {
        assertThat(saturation(List.of(1.0, 1.0), List.of(6.0, 2.0, 1.0)).slowestToMedian())
                .isEqualTo(3);
        assertThat(saturation(List.of(1.0, 1.0), List.of()).slowestToMedian()).isZero();
    }

    @Test
    void readsDirtyAndWrittenPages() {
        assertThat(MemoryPeak.dirtyBytes("MemFree: 9 kB\nDirty:    3 kB\nWriteback:   2 kB\nWritebackTmp: 7 kB\n"))
                .isEqualTo(5 * 1024);
        assertThat(new MemoryPeak(1, 4).or(new MemoryPeak(2, 3))).isEqualTo(new MemoryPeak(2, 4));
    }

    private static Saturation saturation(List<Double> steps, List<Double> cycles) {
        return new Saturation(1_000, 1, 1, 1, 1, 1, 0, 0, steps, steps, cycles, new MemoryPeak(0, 0));
    }
}
