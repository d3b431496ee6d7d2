package io.chimera.bench.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class CpuStatTest {
    @Test
    void parsesVersion1() {
        String text = """
            nr_periods 298
            nr_throttled 280
            throttled_time 2193503072
            nr_bursts 0
            burst_time 0
            """;

        assertThat(CpuStat.parse(text)).isEqualTo(new CpuStat(298, 280, 2_193_503_072L));
    }

    @Test
    void parsesVersion2() {
        String text = """
            usage_usec 5000000
            user_usec 4000000
            system_usec 1000000
            nr_periods 298
            nr_throttled 280
            throttled_usec 2193503
            """;

        assertThat(CpuStat.parse(text)).isEqualTo(new CpuStat(298, 280, 2_193_503_000L));
    }

    @Test
    void aGroupWithoutALimitWasNeverThrottled() {
        assertThat(CpuStat.parse("usage_usec 5\n")).isEqualTo(new CpuStat(0, 0, 0));
    }

    @Test
    void subtractsAnEarlierTime() {
        assertThat(new CpuStat(30, 20, 900).since(new CpuStat(10, 5, 300))).isEqualTo(new CpuStat(20, 15, 600));
    }
}
