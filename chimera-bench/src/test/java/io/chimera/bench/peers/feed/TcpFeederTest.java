package io.chimera.bench.peers.feed;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TcpFeederTest {
    @Test
    void addsToTheTimeInPlace() {
        assertThat(delayed("m f=1 1700000000000000000", 0)).isEqualTo("m f=1 1700000000000000000");
        assertThat(delayed("m f=1 1700000000000000001", 9)).isEqualTo("m f=1 1700000000000000010");
        assertThat(delayed("m f=1 1699999999999999999", 1)).isEqualTo("m f=1 1700000000000000000");
        assertThat(delayed("m f=1 1700000000000000000", 123_456_000_000_000L)).isEqualTo("m f=1 1700123456000000000");
    }

    private static String delayed(String line, long ns) {
        byte[] bytes = line.getBytes(US_ASCII);
        TcpFeeder.delay(bytes, 6, ns);
        return new String(bytes, US_ASCII);
    }
}
