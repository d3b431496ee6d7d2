package io.chimera.flow.table;

import static io.chimera.flow.packet.PacketBuilder.ACK;
import static io.chimera.flow.packet.PacketBuilder.FIN;
import static io.chimera.flow.packet.PacketBuilder.RST;
import static io.chimera.flow.packet.PacketBuilder.SYN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.metrics.AllocatedBytes;
import io.chimera.flow.packet.PacketBuilder;
import io.chimera.flow.packet.PacketOutcome;
import io.chimera.flow.packet.PacketTuple;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FlowTableTest {
    private static final long S = 1_000_000_000L;
    private static final String A = "10.0.0.1";
    private static final String B = "10.0.0.2";

    private final Ended ended = new Ended();
    private final Tuples tuples = new Tuples();
    private final FlowTable table = table(16);

    private FlowTable table(int flowsMax) {
        return new FlowTable(FlowTableSettings.of(flowsMax), ended);
    }

    @Test
    void countsBothDirectionsInOneRecord() {
        tuples.tcp(1 * S, A, 1000, B, 80, SYN)
                .tcp(2 * S, B, 80, A, 1000, SYN | ACK)
                .tcp(3 * S, A, 1000, B, 80, ACK)
                .into(table);
        table.flush();

        assertThat(ended.flows)
                .containsExactly(new Ended.Flow(
                        0x0A000001, 1000, 0x0A000002, 80, 6, 2, 1, 100, 50, SYN | ACK, SYN | ACK, S, 3 * S, 4));
        assertThat(table.size()).isZero();
    }

    @Test
    void tellsEachPacketItsPosition() {
        tuples.udp(S, A, 1, B, 2)
                .udp(S, B, 2, A, 1)
                .udp(S, A, 1, B, 3)
                .udp(S, A, 1, B, 2)
                .into(table);

        assertThat(List.of(0, 1, 2, 3))
                .extracting(n -> tuples.tuple(n).position())
                .containsExactly(1L, 2L, 1L, 3L);
    }

    @Test
    void givesBothDirectionsTheSameFlowId() {
        tuples.udp(S, A, 1, B, 2).udp(S, B, 2, A, 1).udp(S, A, 2, B, 1);

        assertThat(tuples.tuple(0).flowId())
                .isEqualTo(tuples.tuple(1).flowId())
                .isNotEqualTo(tuples.tuple(2).flowId());
    }

    @Test
    void toldApartByVlanOnlyIfWanted() {
        byte[] packet = PacketBuilder.ipv4(A, B, 17, PacketBuilder.udp(1, 2, new byte[4]));
        byte[] tagged = PacketBuilder.ethernet(PacketBuilder.VLAN, PacketBuilder.tag(5, PacketBuilder.IPV4, packet));
        byte[] plain = PacketBuilder.ethernet(PacketBuilder.IPV4, packet);
        new Tuples(new FlowId(0, false)).add(S, tagged).add(S, plain).into(table);
        FlowTable byVlan = table(16);
        new Tuples(new FlowId(0, true)).add(S, tagged).add(S, plain).into(byVlan);

        assertThat(table.counts().flows()).isEqualTo(1);
        assertThat(byVlan.counts().flows()).isEqualTo(2);
    }

    @Test
    void endsIdleFlows() {
        tuples.udp(1 * S, A, 1, B, 2)
                .udp(1 * S, A, 1, B, 3)
                .udp(10 * S, A, 1, B, 3)
                .into(table);
        table.expire(17 * S);

        assertThat(ended.flows).extracting(Ended.Flow::destinationPort).containsExactly(2);
        assertThat(ended.flows.get(0).reason()).isEqualTo(FlowRecord.END_IDLE);

        table.expire(26 * S);
        assertThat(ended.flows).extracting(Ended.Flow::destinationPort).containsExactly(2, 3);
        assertThat(ended.flows.get(1).forward()).isEqualTo(2);
    }

    @Test
    void beginsAnotherFlowAfterAPauseOfMoreThanTheTimeout() {
        tuples.udp(1 * S, A, 1, B, 2)
                .udp(16 * S, A, 1, B, 2)
                .udp(31 * S + 1, B, 2, A, 1)
                .into(table);
        table.flush();

        assertThat(ended.flows).extracting(Ended.Flow::forward).containsExactly(2L, 1L);
        assertThat(ended.flows).extracting(Ended.Flow::reason).containsExactly(1, 4);
        assertThat(ended.flows.get(1).source()).isEqualTo(0x0A000002);
        assertThat(table.counts().flows()).isEqualTo(2);
    }

    @Test
    void cutsLongFlowsIntoRecordsOfTheSameDirection() {
        for (int second = 0; second <= 70; second += 10) {
            tuples.udp(second * S, A, 1, B, 2);
        }
        tuples.udp(75 * S, B, 2, A, 1).into(table);
        table.flush();

        assertThat(ended.flows).extracting(Ended.Flow::reason).containsExactly(2, 4);
        assertThat(ended.flows).extracting(Ended.Flow::forward).containsExactly(7L, 1L);
        assertThat(ended.flows).extracting(Ended.Flow::reverse).containsExactly(0L, 1L);
        assertThat(ended.flows).extracting(Ended.Flow::source).containsOnly(0x0A000001);
        assertThat(table.counts().flows()).isEqualTo(1);
    }

    @Test
    void endsTcpSoonAfterBothSidesHaveFinished() {
        tuples.tcp(1 * S, A, 1, B, 2, FIN | ACK)
                .tcp(1 * S, B, 2, A, 1, FIN | ACK)
                .tcp(2 * S, A, 1, B, 2, ACK)
                .into(table);
        table.expire(6 * S);
        assertThat(ended.flows).isEmpty();
        table.expire(8 * S);

        assertThat(ended.flows).extracting(Ended.Flow::reason).containsExactly(FlowRecord.END_OF_FLOW);
        assertThat(ended.flows.get(0).forward()).isEqualTo(2);
    }

    @Test
    void beginsAnotherFlowWithASynAfterAReset() {
        tuples.tcp(1 * S, A, 1, B, 2, SYN)
                .tcp(1 * S, B, 2, A, 1, RST | ACK)
                .tcp(2 * S, A, 1, B, 2, SYN)
                .into(table);
        table.flush();

        assertThat(ended.flows).extracting(Ended.Flow::reason).containsExactly(3, 4);
        assertThat(ended.flows).extracting(Ended.Flow::forward).containsExactly(1L, 1L);
    }

    @Test
    void doesNotEndTcpWhereItIsNotWanted() {
        FlowTable lasting =
                new FlowTable(new FlowTableSettings(16, Duration.ofSeconds(15), Duration.ofMinutes(1), false), ended);
        tuples.tcp(1 * S, A, 1, B, 2, SYN)
                .tcp(1 * S, B, 2, A, 1, RST | ACK)
                .tcp(2 * S, A, 1, B, 2, SYN)
                .into(lasting);
        lasting.flush();

        assertThat(ended.flows).extracting(Ended.Flow::forward).containsExactly(2L);
    }

    @Test
    void handsOutTheFlowThatWasIdleLongestWhenItIsFull() {
        for (int port = 1; port <= 16; port++) {
            tuples.udp(port * S / 4, A, 1, B, port);
        }
        tuples.udp(5 * S, A, 1, B, 1)
                .udp(6 * S, A, 1, B, 100)
                .udp(6 * S, A, 1, B, 101)
                .into(table);

        assertThat(ended.flows).extracting(Ended.Flow::destinationPort).containsExactly(2, 3);
        assertThat(ended.flows).extracting(Ended.Flow::reason).containsOnly(FlowRecord.END_LACK_OF_RESOURCES);
        assertThat(table.counts().records(FlowRecord.END_LACK_OF_RESOURCES)).isEqualTo(2);
        assertThat(table.size()).isEqualTo(16);
    }

    @Test
    void endsAllFlowsWhenTimeGoesBackFar() {
        tuples.udp(1000 * S, A, 1, B, 2)
                .udp(999 * S, A, 1, B, 2)
                .udp(1 * S, A, 1, B, 2)
                .into(table);
        table.flush();

        assertThat(ended.flows).extracting(Ended.Flow::forward).containsExactly(2L, 1L);
        assertThat(table.counts().clockJumps()).isEqualTo(1);
    }

    @Test
    void keepsFlowsThatAreNotTaken() {
        ended.isFull = true;
        FlowTable small = table(2);
        tuples.udp(1 * S, A, 1, B, 2)
                .udp(100 * S, A, 1, B, 2)
                .udp(100 * S, A, 1, B, 3)
                .udp(100 * S, A, 1, B, 4)
                .into(small);
        small.expire(200 * S);
        assertThat(small.flush()).isFalse();
        assertThat(small.counts().unplaced()).isEqualTo(1);
        assertThat(small.counts().heldBack()).isPositive();

        ended.isFull = false;
        assertThat(small.flush()).isTrue();
        assertThat(ended.flows).extracting(Ended.Flow::destinationPort).containsExactlyInAnyOrder(2, 3);
        assertThat(ended.flows).extracting(Ended.Flow::forward).containsExactlyInAnyOrder(2L, 1L);
    }

    @Test
    void countsWhatIsNoFlow() {
        tuples.add(S, PacketBuilder.ethernet(0x0806, new byte[28]))
                .add(S, PacketBuilder.ethernet(PacketBuilder.IPV4, new byte[5]))
                .udp(S, A, 1, B, 2)
                .tcp(S, A, 1, B, 2, SYN)
                .into(table);

        FlowCounts counts = table.counts();
        assertThat(counts.packets()).isEqualTo(4);
        assertThat(counts.packets(PacketOutcome.NOT_IP)).isEqualTo(1);
        assertThat(counts.malformed()).isEqualTo(1);
        assertThat(counts.packets(17)).isEqualTo(1);
        assertThat(counts.ipBytes(17)).isEqualTo(48);
        assertThat(counts.flows(6)).isEqualTo(1);
        assertThat(counts.ipBytes()).isEqualTo(98);
        assertThat(counts.wireBytes()).isEqualTo(42 + 19 + 62 + 64);
        assertThat(table.size()).isEqualTo(2);
    }

    @Test
    void refusesSizesAndTimeoutsThatMakeNoSense() {
        assertThatThrownBy(() -> FlowTableSettings.of(0)).hasMessageContaining("1 to 16777215");
        assertThatThrownBy(() -> new FlowTableSettings(1, Duration.ZERO, Duration.ofSeconds(1), true))
                .hasMessageContaining("timeouts");
    }

    /** Per key, the emitted records contain every packet and byte exactly once, regardless of evictions. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 64, 4096})
    void losesAndDoublesNothing(int flowsMax) {
        FlowTable small = table(flowsMax);
        Random random = new Random(flowsMax);
        Map<String, Long> packets = new HashMap<>();
        long timeNs = S;
        for (int i = 0; i < 20_000; i++) {
            timeNs += random.nextInt(1000) == 0 ? 20 * S : random.nextInt((int) (S / 20));
            int port = 1 + (int) Math.abs(random.nextGaussian() * 300);
            boolean isReverse = random.nextBoolean();
            int flags = random.nextInt(10) == 0 ? random.nextInt(32) : ACK;
            if (isReverse) {
                tuples.tcp(timeNs, B, 80, A, port, flags);
            } else {
                tuples.tcp(timeNs, A, port, B, 80, flags);
            }
            packets.merge(port + (isReverse ? " back" : ""), 1L, Long::sum);
            if (tuples.count() == 300) {
                tuples.into(small);
            }
        }
        tuples.into(small);
        small.flush();

        Map<String, Long> found = new HashMap<>();
        for (Ended.Flow flow : ended.flows) {
            boolean isFromA = flow.source() == 0x0A000001;
            int port = isFromA ? flow.sourcePort() : flow.destinationPort();
            found.merge(port + (isFromA ? "" : " back"), flow.forward(), Long::sum);
            found.merge(port + (isFromA ? " back" : ""), flow.reverse(), Long::sum);
            assertThat(flow.forwardBytes()).isEqualTo(50 * flow.forward());
            assertThat(flow.reverseBytes()).isEqualTo(50 * flow.reverse());
        }
        found.values().removeIf(count -> count == 0);
        assertThat(found).isEqualTo(packets);
        assertThat(small.size()).isZero();
        assertThat(small.counts().records()).isEqualTo(ended.flows.size());
    }

    /** An eviction may move the index entries that a search has passed: a search after it must still find each flow. */
    @Test
    void hasOneRecordPerFlowAfterEvictions() {
        FlowTable small = table(64);
        Random random = new Random(64);
        for (int i = 1; i <= 20_000; i++) {
            tuples.udp(i * S / 100, A, 1 + random.nextInt(256), B, 80);
            if (i % 500 == 0) {
                tuples.into(small);
                ended.flows.clear();
                small.flush();
                assertThat(ended.flows).extracting(Ended.Flow::sourcePort).doesNotHaveDuplicates();
            }
        }
    }

    /** All tuples have the same hash here, so the comparison of the keys alone separates the flows. */
    @ParameterizedTest
    @MethodSource("bytesOfTheKey")
    void separatesFlowsOfTheSameHashByEveryByteOfTheKey(int offset) {
        tuples.udp(S, A, 1, B, 2).udp(S, A, 1, B, 2);
        sameHash(2);
        long changed = tuples.address(1) + offset;
        UnsafeApi.putByte(changed, (byte) (UnsafeApi.getByte(changed) ^ 0x10));
        tuples.into(table);

        assertThat(table.size()).isEqualTo(2);
    }

    private static IntStream bytesOfTheKey() {
        return IntStream.concat(
                IntStream.rangeClosed(PacketTuple.SOURCE_ADDRESS, PacketTuple.TUNNEL),
                IntStream.range(PacketTuple.CUSTOMER_VLAN, PacketTuple.MPLS_LABEL));
    }

    @Test
    void reversesPortsOnlyTogetherWithAddresses() {
        tuples.udp(S, A, 1, B, 2).udp(S, B, 1, A, 2).udp(S, A, 2, B, 1).udp(S, B, 2, A, 1);
        sameHash(4);
        tuples.into(table);

        assertThat(List.of(0, 1, 2, 3))
                .extracting(n -> tuples.tuple(n).position())
                .containsExactly(1L, 1L, 2L, 2L);
        table.flush();
        assertThat(ended.flows).extracting(Ended.Flow::forward).containsExactly(1L, 1L);
        assertThat(ended.flows).extracting(Ended.Flow::reverse).containsExactly(1L, 1L);
    }

    private void sameHash(int count) {
        for (int n = 0; n < count; n++) {
            UnsafeApi.putLong(tuples.address(n) + PacketTuple.FLOW_ID, 0x0123_4567_89AB_CDEFL);
        }
    }

    @Test
    void allocatesNothing() {
        FlowTable small = new FlowTable(FlowTableSettings.of(64), record -> true);
        for (int i = 0; i < 1000; i++) {
            tuples.udp(i * S / 10, A, i, B, 2 + i % 3);
        }

        assertThat(AllocatedBytes.of(() -> small.accept(tuples.address(0), 1000)))
                .isZero();
    }
}
