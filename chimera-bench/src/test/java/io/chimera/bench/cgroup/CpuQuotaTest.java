package io.chimera.bench.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class CpuQuotaTest {
    @Test
    void aPeriodHasHalfASecond() {
        assertThat(CpuQuota.ofPercent(10)).isEqualTo(new CpuQuota(50_000, 500_000));
        assertThat(CpuQuota.ofPercent(150)).isEqualTo(new CpuQuota(750_000, 500_000));
    }

    @Test
    void aSmallShareHasALongerPeriodInsteadOfAQuotaThatTheKernelRefuses() {
        assertThat(CpuQuota.ofPercent(0.15)).isEqualTo(new CpuQuota(1_000, 666_667));
        assertThat(CpuQuota.ofPercent(0.1)).isEqualTo(new CpuQuota(1_000, 1_000_000));
    }

    @Test
    void refusesNoShareAtAll() {
        assertThatThrownBy(() -> CpuQuota.ofPercent(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CpuQuota.ofPercent(Double.NaN)).isInstanceOf(IllegalArgumentException.class);
    }
}
