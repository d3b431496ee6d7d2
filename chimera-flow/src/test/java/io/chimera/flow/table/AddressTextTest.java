package io.chimera.flow.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.flow.packet.PacketBuilder;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AddressTextTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "::",
                "::1",
                "1::",
                "2001:db8::1",
                "2001:db8:0:1:1:1:1:1",
                "2001:db8::1:0:0:1",
                "2001:0:0:1::1",
                "fe80::1234:5678:9abc:def0",
                "1:2:3:4:5:6:7:8",
                "1:2:3:4:5:6:7:0",
                "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"
            })
    void writesTheShortestFormOfIpv6(String text) {
        assertThat(AddressText.of(new UnsafeBuffer(PacketBuilder.address(text)), 0, false))
                .isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "10.20.30.40", "255.255.255.255", "1.99.100.9"})
    void writesIpv4WithDots(String text) {
        byte[] mapped = PacketBuilder.join("00000000000000000000ffff", PacketBuilder.address(text));

        assertThat(AddressText.of(new UnsafeBuffer(mapped), 0, true)).isEqualTo(text);
    }
}
