package io.chimera.flow.ipfix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

final class NtpTest {
    @Test
    void countsFrom1900() {
        assertThat(Ntp.of(0)).isEqualTo(2_208_988_800L << 32);
        assertThat(Ntp.toNs(0x83AA7E80_80000000L)).isEqualTo(500_000_000);
    }

    @Test
    void givesTheSameNanosecondBackBeyondTheEndOfTheEra() {
        Random random = new Random(1);
        for (int i = 0; i < 100_000; i++) {
            long timeNs = random.nextLong(4_000_000_000L * 1_000_000_000L);
            assertThat(Ntp.toNs(Ntp.of(timeNs))).isEqualTo(timeNs);
        }
    }
}
