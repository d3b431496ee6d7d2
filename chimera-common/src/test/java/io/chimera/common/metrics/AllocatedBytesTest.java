package io.chimera.common.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class AllocatedBytesTest {
    private Object kept = new Object();
    private int count;

    @Test
    void seesNothingWhereNothingIsAllocated() {
        assertThat(AllocatedBytes.of(() -> count++)).isZero();
    }

    @Test
    void seesEveryObject() {
        assertThat(AllocatedBytes.of(() -> kept = new byte[1000])).isGreaterThanOrEqualTo(200 * 1000);
        assertThat(kept).isNotNull();
    }
}
