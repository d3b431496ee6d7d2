package io.chimera.node.flows;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.node.Invocation;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class FlowsExportTest {
    private static final String CAPTURE = "../chimera-flow/src/test/resources/io/chimera/flow/captures/http_ipv6.pcap";
    private static final Pattern FLOWS = Pattern.compile("\"flows\"\\s*:\\s*(\\d+)");
    private static final int IPFIX = 10;

    @Test
    void sendsARecordOfEachFlowOfAFile() throws IOException {
        try (DatagramSocket collector = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            Invocation flows = Invocation.of(
                    "flows",
                    "--read",
                    CAPTURE,
                    "--json",
                    "--export",
                    "ipfix:udp://127.0.0.1:" + collector.getLocalPort());

            assertThat(flows.exitCode()).as(flows.err()).isZero();
            Matcher found = FLOWS.matcher(flows.out());
            assertThat(found.find()).as(flows.out()).isTrue();
            assertThat(flows.err()).contains(found.group(1) + " flow records exported, 0 dropped, 0 unconfirmed");
            byte[] message = new byte[2_000];
            collector.receive(new DatagramPacket(message, message.length));
            assertThat(message[1]).isEqualTo((byte) IPFIX);
        }
    }

    @Test
    void saysWhatACollectorLooksLike() {
        Invocation flows = Invocation.of("flows", "--read", CAPTURE, "--export", "udp://127.0.0.1:4739");

        assertThat(flows.exitCode()).isNotZero();
        assertThat(flows.err()).contains("ipfix:udp://host:port");
    }
}
