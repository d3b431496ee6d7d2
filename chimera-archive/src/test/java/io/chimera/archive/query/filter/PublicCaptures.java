package io.chimera.archive.query.filter;

import io.chimera.archive.query.condition.LinkTypes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Frames of public captures, unchanged and converted to other link types. */
public final class PublicCaptures {
    private static final List<Path> FOLDERS = List.of(
            Path.of("../chimera-flow/src/test/resources/io/chimera/flow/captures"),
            Path.of("../chimera-archive/src/test/resources/io/chimera/archive/query/captures"));

    /** Optional folder with more captures. */
    private static final String MORE = System.getProperty("chimera.captures");

    private static final int OF_ONE_MAX = 300;
    private static final int SPOILT = 400;
    /** Length of ARP without padding. */
    private static final int SHORTEST = 42;

    private PublicCaptures() {}

    /** Returns captured frames or, for a rare link type, converted Ethernet frames. */
    public static Packets of(int linkType) {
        Packets packets = new Packets(linkType);
        Packets ethernet = new Packets(LinkTypes.ETHERNET);
        Stream<Path> folders =
                MORE == null ? FOLDERS.stream() : Stream.concat(FOLDERS.stream(), Stream.of(Path.of(MORE)));
        folders.forEach(folder -> read(folder, packets, ethernet));
        if (linkType != LinkTypes.ETHERNET) {
            packets.packets.addAll(ethernet.as(linkType).packets);
        }
        return packets;
    }

    /** Returns only whole frames of at least the length of an Ethernet frame with ARP. */
    static Packets whole(int linkType) {
        Packets packets = of(linkType);
        packets.packets.removeIf(packet -> packet.bytes().length < packet.length() || packet.length() < SHORTEST);
        return packets;
    }

    /** Returns frames including tagged, truncated and damaged copies. */
    static Packets spoilt(int linkType) {
        Packets packets = of(linkType);
        Random random = new Random(linkType);
        if (linkType == LinkTypes.ETHERNET) {
            packets.addTagged(random, SPOILT);
        }
        packets.addCut(random, SPOILT);
        packets.addDamaged(random, SPOILT);
        return packets;
    }

    private static void read(Path folder, Packets packets, Packets ethernet) {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(name -> name.toString().endsWith(".pcap"))
                    .sorted()
                    .toList()) {
                Packets read = Packets.read(file);
                if (read != null && read.linkType == packets.linkType) {
                    packets.packets.addAll(first(read));
                }
                if (read != null && read.linkType == LinkTypes.ETHERNET) {
                    ethernet.packets.addAll(first(read));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Packets.Packet> first(Packets read) {
        return read.packets.subList(0, Math.min(read.packets.size(), OF_ONE_MAX));
    }
}
