package io.chimera.dataset.source.xrootd.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Bytes of the requests, as the specification of the protocol draws them. */
final class XrootdRequestsTest {
    private static String hex(ByteBuffer request) {
        assertThat(request.position()).isZero();
        byte[] bytes = new byte[request.remaining()];
        request.get(0, bytes);
        return HexFormat.of().formatHex(bytes);
    }

    @Test
    void encodesTheBeginningOfAConnection() {
        assertThat(hex(XrootdRequests.handshake())).isEqualTo("000000000000000000000000" + "00000004" + "000007dc");
        assertThat(hex(XrootdRequests.protocol(true)))
                .isEqualTo("0000" + "0bbe" + "00000520" + "06" + "03" + "00".repeat(10) + "00000000");
        assertThat(hex(XrootdRequests.login(258, "someone")))
                .isEqualTo("0000" + "0bbf" + "00000102" + "736f6d656f6e6500" + "00" + "08" + "05" + "00" + "00000000");
    }

    @Test
    void encodesRequestsForPaths() {
        String path = "00000002" + "2f61";
        assertThat(hex(XrootdRequests.open("/a", false)))
                .isEqualTo("0000" + "0bc2" + "0000" + "0410" + "00".repeat(12) + path);
        assertThat(hex(XrootdRequests.open("/a", true)))
                .isEqualTo("0000" + "0bc2" + "0000" + "0490" + "00".repeat(12) + path);
        assertThat(hex(XrootdRequests.stat("/a"))).isEqualTo("0000" + "0bc9" + "00".repeat(16) + path);
        assertThat(hex(XrootdRequests.list("/a"))).isEqualTo("0000" + "0bbc" + "00".repeat(15) + "02" + path);
        assertThat(hex(XrootdRequests.checksum("/a"))).isEqualTo("0000" + "0bb9" + "0003" + "00".repeat(14) + path);
        assertThat(hex(XrootdRequests.locateFolder("/a")))
                .isEqualTo("0000" + "0bd3" + "0500" + "00".repeat(14) + "00000003" + "2a2f61");
    }

    @Test
    void encodesRequestsForOpenFiles() {
        assertThat(hex(XrootdRequests.read(7, 0x0102030405060708L, 9)))
                .isEqualTo("0000" + "0bc5" + "00000007" + "0102030405060708" + "00000009" + "00000000");
        assertThat(hex(XrootdRequests.stat(7))).isEqualTo("0000" + "0bc9" + "00".repeat(12) + "00000007" + "00000000");
        assertThat(hex(XrootdRequests.close(7))).isEqualTo("0000" + "0bbb" + "00000007" + "00".repeat(12) + "00000000");
        assertThat(hex(XrootdRequests.readVector(List.of(new PieceHeader(7, 8, 9), new PieceHeader(7, 1, 2)))))
                .isEqualTo("0000" + "0bd1" + "00".repeat(16) + "00000020"
                        + "00000007" + "00000008" + "0000000000000009"
                        + "00000007" + "00000001" + "0000000000000002");
    }

    @Test
    void setsTheStreamId() {
        ByteBuffer request = XrootdRequests.close(1);

        XrootdRequests.setStreamId(request, 0xABCD);

        assertThat(hex(request)).startsWith("abcd0bbb");
    }
}
