package io.chimera.queue.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AddressTextTest {
    private final byte[] text = new byte[AddressText.LENGTH_MAX];

    private String ipv6(String address) throws Exception {
        ByteBuffer bytes = ByteBuffer.wrap(InetAddress.getByName(address).getAddress());
        return ipv6(bytes.getLong(), bytes.getLong());
    }

    private String ipv6(long high, long low) {
        return new String(text, 0, AddressText.putIpv6(high, low, text, 0), StandardCharsets.US_ASCII);
    }

    @Test
    void writesIpv4WithDots() {
        int end = AddressText.putIpv4(0x0A00FF01, text, 2);

        assertThat(new String(text, 2, end - 2, StandardCharsets.US_ASCII)).isEqualTo("10.0.255.1");
    }

    @ParameterizedTest
    @CsvSource({
        "::, ::",
        "::1, ::1",
        "1::, 1::",
        "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
        "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "1:0:0:2:0:0:0:3, 1:0:0:2::3",
        "ff02:0:0:0:0:1:ff00:abcd, ff02::1:ff00:abcd",
        "fedc:ba98:7654:3210:fedc:ba98:7654:3210, fedc:ba98:7654:3210:fedc:ba98:7654:3210"
    })
    void writesIpv6AsRfc5952Says(String address, String expected) throws Exception {
        assertThat(ipv6(address)).isEqualTo(expected);
    }

    @Test
    void writesWhatIsReadBack() throws Exception {
        Random random = new Random(7);
        for (int i = 0; i < 10_000; i++) {
            ByteBuffer bytes = ByteBuffer.allocate(16);
            for (int k = 0; k < 8; k++) {
                bytes.putShort((short) (random.nextBoolean() ? 0 : random.nextInt() >> random.nextInt(16)));
            }
            String written = ipv6(bytes.getLong(0), bytes.getLong(8));
            byte[] read = InetAddress.getByName(written).getAddress();
            if (read.length == 16) { // what looks like a mapped IPv4 address is read as one
                assertThat(read).isEqualTo(bytes.array());
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "9, 9", "10, 10", "9223372036854775807, 9223372036854775807", "-1, 18446744073709551615"})
    void writesNumbersWithoutTheirSign(long number, String expected) {
        assertThat(new String(text, 0, AddressText.putDecimal(number, text, 0), StandardCharsets.US_ASCII))
                .isEqualTo(expected);
    }
}
