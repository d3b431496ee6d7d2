package io.chimera.archive.query.filter;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.chimera.archive.index.key.Probe;
import io.chimera.archive.query.condition.LinkTypes;
import io.chimera.archive.query.key.KeySet;
import io.chimera.archive.query.text.QuestionException;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * Arbitrary filters and frames: a filter is accepted, or refused with a place; no byte outside a frame is read (the
 * buffer is as long as the frame); and the probe misses no matching packet.
 */
final class PacketFilterFuzz {
    private static final List<String> WORDS = List.of(
            "tcp",
            "udp",
            "ip",
            "ip6",
            "arp",
            "icmp",
            "ether",
            "vlan",
            "mpls",
            "pppoes",
            "host",
            "net",
            "port",
            "portrange",
            "proto",
            "src",
            "dst",
            "and",
            "or",
            "not",
            "(",
            ")",
            "[",
            "]",
            ":",
            "len",
            "+",
            "-",
            "*",
            "/",
            "%",
            "&",
            "|",
            "^",
            "<<",
            ">>",
            "=",
            "!=",
            "<",
            ">",
            "0",
            "1",
            "2",
            "4",
            "80",
            "255",
            "65535",
            "4294967295",
            "10.0.0.1",
            "10.1",
            "::1",
            "fe80::/10",
            "/",
            "8",
            "mask",
            "0:0:5e:0:53:1",
            "less",
            "greater",
            "broadcast",
            "multicast",
            "tcpflags",
            "10-20",
            "http",
            "\\tcp",
            "metric",
            "\"a b\"",
            "a",
            "stp",
            "ipx",
            "atalk",
            "iso",
            "gateway");
    private static final int[] LINK_TYPES = {1, 101, 113, 276, 228, 229};

    @FuzzTest
    void anyText(FuzzedDataProvider data) {
        int linkType = data.pickValue(LINK_TYPES);
        byte[] frame = data.consumeBytes(80);
        check(data.consumeRemainingAsString(), linkType, frame, frame.length);
    }

    @FuzzTest
    void anyWords(FuzzedDataProvider data) {
        int linkType = data.pickValue(LINK_TYPES);
        byte[] frame = data.consumeBytes(80);
        StringBuilder text = new StringBuilder();
        for (int words = data.consumeInt(0, 60); words > 0; words--) {
            text.append(data.pickValue(WORDS)).append(data.consumeBoolean() ? " " : "");
        }
        check(text.toString(), linkType, frame, frame.length + data.consumeInt(0, 100));
    }

    @Test
    void wordsInAnyOrder() {
        for (int seed = 0; seed < 20_000; seed++) {
            Random random = new Random(seed);
            StringBuilder text = new StringBuilder();
            for (int words = random.nextInt(12); words > 0; words--) {
                text.append(WORDS.get(random.nextInt(WORDS.size()))).append(random.nextInt(8) == 0 ? "" : " ");
            }
            byte[] frame = new byte[random.nextInt(90)];
            random.nextBytes(frame);
            check(text.toString(), LINK_TYPES[random.nextInt(LINK_TYPES.length)], frame, frame.length);
        }
    }

    @Test
    void filtersOverFramesOfRandomBytes() {
        Packets packets = PublicCaptures.of(LinkTypes.ETHERNET);
        for (int seed = 0; seed < 3_000; seed++) {
            Random random = new Random(seed);
            byte[] frame = new byte[random.nextInt(90)];
            random.nextBytes(frame);
            check(new FilterGenerator(seed, packets).next(), LinkTypes.ETHERNET, frame, frame.length);
        }
    }

    private static void check(String text, int linkType, byte[] frame, int length) {
        PacketFilter filter;
        try {
            PointFilter.compile(text);
        } catch (QuestionException e) {
            assertThat(e.position()).isBetween(0, text.length());
        }
        try {
            filter = PacketFilter.compile(text, linkType);
        } catch (QuestionException e) {
            assertThat(e.position()).isBetween(0, text.length());
            return;
        }
        boolean matches = filter.matches(new UnsafeBuffer(frame), 0, frame.length, length);
        Probe probe = filter.probe();
        if (matches) {
            KeySet keys = KeySet.of(linkType, new Packets.Packet(frame, length));
            assertThat(keys.matches(probe)).as(text).isTrue();
        }
    }
}
