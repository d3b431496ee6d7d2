package io.chimera.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class CpuTimesTest {

    private static final String SELF = "7 (a (b) c) S 1 2 3 4 5 6 7 8 9 10 %d %d %d %d 20 0 30\n";

    @Test
    void tellsWhatOthersTookFromWhatThisProcessAndItsChildrenTook() {
        CpuTimes before = CpuTimes.parse("cpu  100 0 50 1000 10 0 0 0 0 0\ncpu0 1 1 1\n", SELF.formatted(1, 2, 3, 4));
        CpuTimes after =
                CpuTimes.parse("cpu  150 0 70 1110 20 5 5 10 0 0\ncpu0 1 1 1\n", SELF.formatted(21, 12, 23, 14));

        // of 210 ticks, 120 were idle or waiting for a disk, 60 were used by this process, 30 by other processes
        assertThat(after.othersSince(before)).isEqualTo(30.0 / 210);
    }

    @Test
    void readsTheKernelOfThisMachine() {
        CpuTimes now = CpuTimes.read();

        assertThat(now).isNotNull();
        assertThat(now.total()).isGreaterThanOrEqualTo(now.busy());
        assertThat(now.busy()).isGreaterThanOrEqualTo(now.own()).isPositive();
        assertThat(now.othersSince(now)).isZero();
        assertThat(CpuTimes.model()).isNotBlank();
    }
}
