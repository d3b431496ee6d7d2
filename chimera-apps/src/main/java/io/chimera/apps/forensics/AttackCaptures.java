package io.chimera.apps.forensics;

import io.chimera.apps.forensics.Background.Packet;
import io.chimera.apps.forensics.TcpConversation.Planted;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.jni.capture.PcapWriter;
import io.chimera.jni.capture.PcapWriter.Resolution;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Writes the captures of an attack at three monitors: real traffic, repeated with shifted times, with the attack's
 * packets merged in. The attacked hosts A and B are the busiest hosts of the real traffic.
 */
public final class AttackCaptures {
    private static final int ETHERNET = 1;
    private static final String ATTACKER = "198.51.100.77";
    private static final String MASTER = "192.0.2.66";

    /** Each path also records a third of the traffic of other hosts. */
    private static final int PATH_SHARE = 3;

    private final Map<Monitor, PcapWriter> writers = new EnumMap<>(Monitor.class);
    private final Map<Monitor, Long> counts = new EnumMap<>(Monitor.class);
    private final UnsafeBuffer frame = new UnsafeBuffer(new byte[0]);

    private AttackCaptures() {}

    /**
     * Result of writing the captures.
     *
     * @param attack the attack with its hosts
     * @param packets number of packets per monitor
     */
    public record Written(TwoStageAttack attack, Map<Monitor, Long> packets) {}

    /**
     * Writes the files {@code gateway.pcap}, {@code path-a.pcap} and {@code path-b.pcap}.
     *
     * @param capture real traffic over Ethernet, with at least two hosts
     * @param packetsMax maximum number of real packets. The capture is repeated as often as this limit and the duration
     *     allow, and its times are stretched or compressed to fill the duration
     * @param startNs begin of the captures, ns since 1970
     */
    public static Written write(Path capture, Path folder, long packetsMax, long startNs) {
        Background background = Background.read(capture);
        List<Integer> hosts = background.hosts();
        if (hosts.size() < 2) {
            throw new ChimeraException(
                    Category.ERROR, capture + " has fewer than two hosts with IPv4; use another capture.");
        }
        TwoStageAttack attack = new TwoStageAttack(
                ATTACKER, Background.dotted(hosts.get(0)), Background.dotted(hosts.get(1)), MASTER, startNs);
        AttackCaptures captures = new AttackCaptures();
        try {
            for (Monitor monitor : Monitor.values()) {
                Path file = folder.resolve(monitor.label() + ".pcap");
                captures.writers.put(monitor, PcapWriter.create(file, ETHERNET, Resolution.NANOSECONDS));
                captures.counts.put(monitor, 0L);
            }
            captures.merge(background, hosts, AttackScript.of(attack), packetsMax, startNs);
        } finally {
            captures.writers.values().forEach(PcapWriter::close);
        }
        return new Written(attack, Map.copyOf(captures.counts));
    }

    private void merge(
            Background background, List<Integer> hosts, List<Planted> planted, long packetsMax, long startNs) {
        List<Packet> packets = background.packets();
        long firstNs = packets.get(0).timeNs();
        long recordedNs = packets.get(packets.size() - 1).timeNs() - firstNs + TimeUnit.MILLISECONDS.toNanos(1);
        long wholeNs = TimeUnit.SECONDS.toNanos(TwoStageAttack.SECONDS);
        long rounds = Math.max(1, Math.min(wholeNs / recordedNs, packetsMax / packets.size()));
        double stretch = (double) wholeNs / (rounds * recordedNs);
        int next = 0;
        for (long round = 0; round < rounds; round++) {
            for (Packet packet : packets) {
                long atNs = round * recordedNs + packet.timeNs() - firstNs;
                long timeNs = startNs + (long) (atNs * stretch);
                while (next < planted.size() && planted.get(next).timeNs() <= timeNs) {
                    write(planted.get(next++));
                }
                write(packet, timeNs, hosts);
            }
        }
        while (next < planted.size()) {
            write(planted.get(next++));
        }
    }

    private void write(Planted planted) {
        planted.seenBy()
                .forEach(monitor -> write(
                        monitor,
                        planted.timeNs(),
                        planted.frame(),
                        planted.frame().capacity()));
    }

    private void write(Packet packet, long timeNs, List<Integer> hosts) {
        int share = Math.floorMod(packet.source() ^ packet.destination(), PATH_SHARE);
        write(Monitor.GATEWAY, timeNs, packet.frame(), packet.length());
        if (share == 0 || packet.isOf(hosts.get(0))) {
            write(Monitor.PATH_A, timeNs, packet.frame(), packet.length());
        }
        if (share == 1 || packet.isOf(hosts.get(1))) {
            write(Monitor.PATH_B, timeNs, packet.frame(), packet.length());
        }
    }

    private void write(Monitor monitor, long timeNs, ByteBuffer bytes, int length) {
        frame.wrap(bytes);
        writers.get(monitor).write(timeNs, frame, 0, bytes.capacity(), length);
        counts.merge(monitor, 1L, Long::sum);
    }
}
