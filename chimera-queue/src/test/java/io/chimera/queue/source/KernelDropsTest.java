package io.chimera.queue.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.ManualClock;
import io.chimera.common.channel.Endpoint;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KernelDropsTest {
    private static final String HEAD =
            "   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid"
                    + "  timeout inode ref pointer drops\n";

    @TempDir
    Path tables;

    private final ManualClock clock = new ManualClock();
    private final List<String> lines = new ArrayList<>();

    private static String row(String local, long drops) {
        return "  388: " + local + " 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 12345 2"
                + " 0000000000000000 " + drops + "\n";
    }

    private void write(String v4, String v6) throws IOException {
        Files.writeString(tables.resolve("udp"), HEAD + v4);
        Files.writeString(tables.resolve("udp6"), HEAD + v6);
    }

    private KernelDrops drops(String host, int port) {
        return new KernelDrops(
                tables,
                Map.of("influx/udp", new Endpoint(host, port), "influx/http", new Endpoint(host, 1)),
                clock,
                lines::add);
    }

    private void look(KernelDrops drops) {
        clock.advanceMs(5_000);
        assertThat(drops.doWork()).isEqualTo(1);
    }

    @Test
    void findsTheSocketByItsAddress() throws IOException {
        write(
                row("0100007F:1F9E", 7) + row("0200007F:1F9E", 1_000) + row("00000000:0035", 2_000),
                row("0000000000000000FFFF00000100007F:0050", 8) + row("00000000000000000000000000000000:0051", 9));

        assertFound("127.0.0.1", 0x1F9E, 7);
        assertFound("127.0.0.1", 0x50, 8);
        assertFound("0.0.0.0", 0x51, 9);
        assertFound("::", 0x51, 9);
    }

    private void assertFound(String host, int port, double expected) {
        KernelDrops drops = drops(host, port);
        look(drops);
        assertThat(drops.of("influx")).isEqualTo(expected);
        assertThat(drops.inputs()).containsExactly("influx");
    }

    @Test
    void warnsWhileDropsGrow() throws IOException {
        write(row("0100007F:1F9E", 0), "");
        KernelDrops drops = drops("127.0.0.1", 0x1F9E);
        look(drops);
        assertThat(drops.warnings()).isEmpty();

        write(row("0100007F:1F9E", 20), "");
        assertThat(drops.doWork()).as("not each time").isZero();
        look(drops);
        write(row("0100007F:1F9E", 50), "");
        look(drops);

        assertThat(drops.warnings())
                .singleElement()
                .asString()
                .contains("50 datagrams of input influx", "net.core.rmem_max");
        assertThat(lines).singleElement().asString().contains("20 datagrams");

        clock.advanceMs(60_000);
        assertThat(drops.warnings()).isEmpty();
        write(row("0100007F:1F9E", 51), "");
        look(drops);
        assertThat(drops.warnings()).singleElement().asString().contains("51 datagrams", "1 of them");
        assertThat(lines).hasSize(2);
    }

    @Test
    void isAbsentAndSaysSoOnceWhereTheTablesCannotBeRead() {
        KernelDrops drops = drops("127.0.0.1", 8094);
        look(drops);
        look(drops);

        assertThat(drops.of("influx")).isNaN();
        assertThat(drops.warnings()).isEmpty();
        assertThat(lines).singleElement().asString().contains("socket of input influx");
    }

    @Test
    void ignoresRowsThatItDoesNotUnderstand() throws IOException {
        write(row("xyz:1F9E", 1) + row("0100007F:", 1) + "garbage\n" + row("0100007F:1F9E", 3), row("0000:1F9E", 5));
        KernelDrops drops = drops("127.0.0.1", 0x1F9E);
        look(drops);

        assertThat(drops.of("influx")).isEqualTo(3);
    }

    @Test
    void doesNothingWithoutUdp() {
        KernelDrops drops = new KernelDrops(tables, Map.of(), clock, lines::add);

        assertThat(drops.doWork()).isZero();
        assertThat(lines).isEmpty();
    }

    /** Opens a socket without a reader, so that the kernel must drop datagrams. */
    @Test
    void countsWhatTheKernelDrops() throws IOException {
        Assumptions.assumeTrue(Files.isReadable(Path.of("/proc/net/udp")), "there is no /proc/net/udp here");
        try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                DatagramSocket sender = new DatagramSocket()) {
            socket.setReceiveBufferSize(4_096);
            Endpoint address = new Endpoint("127.0.0.1", socket.getLocalPort());
            KernelDrops drops = new KernelDrops(Map.of("influx/udp", address), clock);
            for (int i = 0; i < 200; i++) {
                sender.send(new DatagramPacket(new byte[1_000], 1_000, socket.getLocalSocketAddress()));
            }
            look(drops);

            assertThat(drops.of("influx")).isBetween(100.0, 200.0);
            assertThat(drops.warnings()).hasSize(1);
        }
    }
}
