package io.chimera.flow.packet;

import static io.chimera.flow.packet.PacketBuilder.ethernet;
import static io.chimera.flow.packet.PacketBuilder.extension;
import static io.chimera.flow.packet.PacketBuilder.fragment;
import static io.chimera.flow.packet.PacketBuilder.icmp;
import static io.chimera.flow.packet.PacketBuilder.ipv4;
import static io.chimera.flow.packet.PacketBuilder.ipv6;
import static io.chimera.flow.packet.PacketBuilder.join;
import static io.chimera.flow.packet.PacketBuilder.label;
import static io.chimera.flow.packet.PacketBuilder.tag;
import static io.chimera.flow.packet.PacketBuilder.tcp;
import static io.chimera.flow.packet.PacketBuilder.u16;
import static io.chimera.flow.packet.PacketBuilder.u32;
import static io.chimera.flow.packet.PacketBuilder.udp;

import java.util.Random;

/** Generates random nested packets of all supported kinds. */
final class RandomFrames {
    private RandomFrames() {}

    static byte[] next(Random random) {
        return frame(random, 0);
    }

    private static byte[] frame(Random random, int depth) {
        boolean isSix = random.nextBoolean();
        byte[] packet = isSix ? packet6(random, depth) : packet4(random, depth);
        int type = isSix ? PacketBuilder.IPV6 : PacketBuilder.IPV4;
        for (int tags = random.nextInt(3); tags > 0; tags--) {
            packet = tag(random.nextInt(4096), type, packet);
            type = random.nextBoolean() ? PacketBuilder.VLAN : PacketBuilder.PROVIDER_VLAN;
        }
        return switch (random.nextInt(8)) {
            case 0 -> ethernet(PacketBuilder.MPLS, label(random.nextInt(1 << 20), true, packet));
            case 1 -> ethernet(packet.length + 8, join("AAAA03 000000", u16(type), packet));
            case 2 -> ethernet(0x8864, join("11000001", u16(packet.length + 2), isSix ? "0057" : "0021", packet));
            default -> ethernet(type, packet);
        };
    }

    private static byte[] packet4(Random random, int depth) {
        int protocol = protocol(random);
        int fragment = random.nextInt(8) == 0 ? random.nextInt(1 << 14) : 0;
        return ipv4("10.0.0.1", "10.0.0.2", protocol, fragment, payload(random, protocol, depth));
    }

    private static byte[] packet6(Random random, int depth) {
        int protocol = protocol(random);
        byte[] payload = payload(random, protocol, depth);
        return switch (random.nextInt(4)) {
            case 0 -> ipv6("::1", "::2", 44, fragment(protocol, random.nextInt(2), random.nextBoolean(), payload));
            case 1 -> ipv6("::1", "::2", 0, extension(protocol, payload));
            case 2 -> ipv6("::1", "::2", 60, extension(51, join(protocol, 1, new byte[10], payload)));
            default -> ipv6("::1", "::2", protocol, payload);
        };
    }

    private static int protocol(Random random) {
        int[] protocols = {1, 4, 6, 17, 17, 41, 47, 58, 132};
        return protocols[random.nextInt(protocols.length)];
    }

    private static byte[] payload(Random random, int protocol, int depth) {
        if (depth > 5) {
            return new byte[random.nextInt(20)];
        }
        return switch (protocol) {
            case 1, 58 -> icmp(random.nextInt(256), random.nextInt(256));
            case 4 -> packet4(random, depth + 1);
            case 41 -> packet6(random, depth + 1);
            case 47 -> gre(random, depth);
            case 6 -> tcp(random.nextInt(1 << 16), 80, random.nextInt(256), new byte[random.nextInt(20)]);
            default ->
                switch (random.nextInt(3)) {
                    case 0 -> udp(1, 4789, join("08000000", u32(random.nextInt()), frame(random, depth + 1)));
                    case 1 -> udp(2152, 2152, gtp(random, depth));
                    default -> udp(random.nextInt(1 << 16), 53, new byte[random.nextInt(20)]);
                };
        };
    }

    private static byte[] gre(Random random, int depth) {
        return switch (random.nextInt(3)) {
            case 0 -> join("3000 6558", u32(random.nextInt()), u32(1), frame(random, depth + 1));
            case 1 -> join("3081 880B", u32(random.nextInt()), u32(1), u32(1), "0021", packet4(random, depth + 1));
            default -> join("0000 0800", packet4(random, depth + 1));
        };
    }

    private static byte[] gtp(Random random, int depth) {
        byte[] packet = packet4(random, depth + 1);
        return random.nextBoolean()
                ? join("30FF", u16(packet.length), u32(random.nextInt()), packet)
                : join("36FF", u16(packet.length + 8), u32(random.nextInt()), "00000085 01000000", packet);
    }
}
