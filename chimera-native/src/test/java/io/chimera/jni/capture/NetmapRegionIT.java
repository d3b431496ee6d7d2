package io.chimera.jni.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * Netmap from the kernel's rings to Java: a separate JVM loads a library in which a memory region, with the layout of
 * netmap's module, replaces the device ({@code netmap_stand_in.c}).
 */
final class NetmapRegionIT {

    private static final int RINGS = 2;
    private static final int PACKETS = 50_000;
    private static final int GATHERED_BYTES = 700;
    private static final int SINGLE_BYTES = 60;
    private static final int WAIT_MS = 600_000;
    private static final Path LIBRARY = Path.of(
                    System.getProperty("basedir", ""), "target/c-test/libnetmap-stand-in.so")
            .toAbsolutePath();

    @Test
    void everyPacketOfEveryRingArrivesOnceAndInOrder() throws IOException, InterruptedException {
        assumeTrue(Files.exists(LIBRARY), "the native part was not built");
        Process receiver = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                        "-Dchimera.native.path=" + LIBRARY,
                        "-cp",
                        System.getProperty("java.class.path"),
                        NetmapRegionIT.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(receiver.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(receiver.waitFor(WAIT_MS, TimeUnit.MILLISECONDS)).isTrue();
        assertThat(said).endsWith("received 100000 bytes 18800000 invalid 0 truncated 0 dropped 0\n");
        assertThat(receiver.exitValue()).isZero();
    }

    /** Receiver process: checks each packet and prints the counters. */
    public static void main(String[] arguments) {
        long[] next = new long[RINGS];
        PacketBatch batch = new PacketBatch(64);
        UnsafeBuffer packet = new UnsafeBuffer(0, 0);
        CaptureCounters counters = new CaptureCounters();
        try (PacketCapture capture = Captures.open(CaptureOptions.of("netmap:p}1"))) {
            for (int seen = 0; seen < RINGS * PACKETS; seen += batch.size()) {
                check(capture.receive(batch, WAIT_MS) > 0, "packets come");
                for (int i = 0; i < batch.size(); i++) {
                    packet.wrap(batch.address(i), batch.captured(i));
                    checkPacket(packet, next);
                }
            }
            check(capture.receive(batch, 0) == 0, "there are no more");
            capture.counters(counters);
        }
        System.out.println("received " + counters.received() + " bytes " + counters.bytes() + " invalid "
                + counters.invalid() + " truncated " + counters.truncated() + " dropped " + counters.droppedRing());
    }

    private static void checkPacket(UnsafeBuffer packet, long[] next) {
        long name = packet.getLong(0);
        int ring = (int) (name & 0xff);
        long number = next[ring]++;
        check(name >>> 8 == number, "packet " + number + " of ring " + ring + " is next, not " + (name >>> 8));
        check(packet.capacity() == (number % 5 == 0 ? GATHERED_BYTES : SINGLE_BYTES), "its length");
        for (int i = Long.BYTES; i < packet.capacity(); i++) {
            check(packet.getByte(i) == (byte) (name * 31 + i * 7L), "byte " + i);
        }
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }
}
