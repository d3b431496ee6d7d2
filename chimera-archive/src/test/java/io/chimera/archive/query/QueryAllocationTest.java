package io.chimera.archive.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.archive.query.condition.LinkTypes;
import io.chimera.archive.query.filter.PacketFilter;
import io.chimera.archive.query.filter.Packets;
import io.chimera.archive.query.filter.PointFilter;
import io.chimera.archive.query.filter.PublicCaptures;
import io.chimera.archive.query.key.KeySink;
import io.chimera.archive.query.key.PacketKeys;
import io.chimera.archive.query.key.PointKeys;
import io.chimera.archive.query.point.Points;
import io.chimera.common.composition.PointFlyweight;
import io.chimera.common.metrics.AllocatedBytes;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Code executed per packet or point allocates nothing. */
final class QueryAllocationTest {
    private static final int PACKETS = 100;

    private int matches;
    private long sum;

    @Test
    void filteringPacketsAndFindingTheirKeysAllocatesNothing() {
        Packets packets = PublicCaptures.of(LinkTypes.ETHERNET);
        List<UnsafeBuffer> frames = new ArrayList<>();
        packets.packets.subList(0, PACKETS).forEach(packet -> frames.add(new UnsafeBuffer(packet.bytes())));
        String text = "(tcp port 80 and host 192.0.2.9) or net 10 or ip[len % 20] * 2 > len or udp[4:2] & 1 != 0";
        PacketFilter filter = PacketFilter.compile(text, LinkTypes.ETHERNET);
        PacketKeys keys = new PacketKeys(LinkTypes.ETHERNET, new Sum());
        assertThat(AllocatedBytes.of(() -> {
                    for (int i = 0; i < PACKETS; i++) {
                        UnsafeBuffer frame = frames.get(i);
                        matches += filter.matches(frame, 0, frame.capacity(), frame.capacity()) ? 1 : 0;
                        keys.add(frame, 0, frame.capacity());
                    }
                }))
                .isZero();
        assertThat(matches).isPositive();
        assertThat(sum).isNotZero();
    }

    @Test
    void filteringPointsAndFindingTheirKeysAllocatesNothing() {
        PointFlyweight point = Points.cpu();
        PointFilter filter = PointFilter.compile("metric=cpu and (host=web2 or load>0.5) and not note=\"x\"");
        Sum sink = new Sum();
        assertThat(AllocatedBytes.of(() -> {
                    for (int i = 0; i < PACKETS; i++) {
                        matches += filter.matches(point) ? 1 : 0;
                        PointKeys.add(point, sink);
                    }
                }))
                .isZero();
        assertThat(matches).isPositive();
    }

    /** Sums the keys and stores none. */
    private final class Sum implements KeySink {
        @Override
        public void add(int key, long hash) {
            sum += hash;
        }

        @Override
        public void addRange(int key, long value) {
            sum += value;
        }

        @Override
        public boolean isRecent(long first, long second) {
            return false;
        }
    }
}
