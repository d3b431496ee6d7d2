package io.chimera.bench.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class CpuQuotaTest {
    @Test
    void aPeriodHasTenMilliseconds() {
        assertThat(CpuQuota.ofPercent(10)).isEqualTo(new CpuQuota(1_000, 10_000));
        assertThat(CpuQuota.ofPercent(150)).isEqualTo(new CpuQuota(15_000, 10_000));
    }

    @Test
    void aSmallShareHasALongerPeriodInsteadOfAQuotaThatTheKernelRefuses() {
        assertThat(CpuQuota.ofPercent(6)).isEqualTo(new CpuQuota(1_000, 16_667));
        assertThat(CpuQuota.ofPercent(3)).isEqualTo(new CpuQuota(1_000, 33_333));
    }

    @Test
    void refusesNoShareAtAll() {
        assertThatThrownBy(() -> CpuQuota.ofPercent(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CpuQuota.ofPercent(Double.NaN)).isInstanceOf(IllegalArgumentException.class);
    }
}
