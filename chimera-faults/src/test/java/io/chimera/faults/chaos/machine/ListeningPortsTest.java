package io.chimera.faults.chaos.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class ListeningPortsTest {
    @Test
    void findsThePortsOfAProcess() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(NamespacePorts.of(ProcessHandle.current().pid())).contains(socket.getLocalPort());
        }
    }

    @Test
    void takesListenersOnly() {
        TreeSet<Integer> ports = new TreeSet<>();
        NamespacePorts.add(ports, "  sl  local_address rem_address   st tx_queue rx_queue");
        NamespacePorts.add(ports, "   0: 0100007F:0CEA 00000000:0000 0A 00000000:00000000");
        NamespacePorts.add(ports, "   1: 0100007F:0CEB 0100007F:9999 01 00000000:00000000");
        NamespacePorts.add(
                ports, "   2: 00000000000000000000000000000000:2580 00000000000000000000000000000000:0000 0A");

        assertThat(ports).containsExactly(3306, 9600);
    }

    @Test
    void aProcessThatIsGoneHasNone() {
        assertThat(NamespacePorts.of(Integer.MAX_VALUE)).isEmpty();
    }
}
