package io.chimera.coordinator.zookeeper.znode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CycleGroups;
import io.chimera.common.cluster.CycleTime;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.JournalLosses;
import io.chimera.common.cluster.JournalState;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.StreamGroups;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Tests the exact text of znodes with journal groups, and refuses malformed groups. */
final class GroupZnodeGoldenTest {
    private static final JournalGroup EAST = new JournalGroup("east");
    private static final Positions CUT = Positions.of(-1, 5, 7, 9);
    private static final StreamGroups STREAMS = StreamGroups.copyOf(Map.of(-1L, EAST, 7L, EAST.lane(1)));

    private static final String CUT_TEXT = "{\"ffffffffffffffff\":5,\"7\":9}";
    private static final String STREAMS_TEXT = "{\"ffffffffffffffff\":\"east\",\"7\":\"east.1\"}";
    private static final String CYCLE = "{\"cycle\":42,\"epoch\":7,\"time_ms\":1000,\"clock_ms\":900,\"cut\":"
            + CUT_TEXT + ",\"queues\":[\"1\",\"2\",\"3\"],\"processors\":[\"4\"],"
            + "\"groups\":[{\"parts\":1},{\"group\":\"east\",\"parts\":2},{\"group\":\"east.1\",\"parts\":0}],"
            + "\"streams\":" + STREAMS_TEXT + "}";
    private static final String LOW = "{\"cycle\":41,\"time_ms\":99,\"digest\":\"d\",\"history\":\"1f\",\"cut\":"
            + CUT_TEXT + ",\"totals\":{\"points\":0,\"aggregated\":0,\"late\":0,\"rejected\":0,\"filtered\":0,"
            + "\"rows\":0},\"streams\":" + STREAMS_TEXT + "}";
    private static final String QUEUE = "{\"id\":\"q1.1\",\"group\":\"east.1\",\"session\":\"b\",\"address\":\"a\","
            + "\"http\":\"h\",\"stream\":\"c\",\"leaving\":false,\"clock_ms\":0,\"digest\":\"d\",\"digests\":[\"d\"],"
            + "\"bases\":{},\"positions\":{},\"unreachable\":[],\"past\":[],"
            + "\"kept\":{\"history\":\"\",\"low\":0,\"newest\":0}}";
    private static final String REGISTERED = "{\"registered\":true,\"group\":\"east\"}";

    private static Cycle cycle() {
        List<CycleGroups.Parts> parts = List.of(
                new CycleGroups.Parts(JournalGroup.DEFAULT, 0, 1),
                new CycleGroups.Parts(EAST, 1, 2),
                new CycleGroups.Parts(EAST.lane(1), 3, 0));
        return new Cycle(
                42,
                7,
                new CycleTime(1_000, 900),
                CUT,
                List.of(1L, 2L, 3L),
                List.of(4L),
                Optional.empty(),
                new CycleGroups(parts, STREAMS));
    }

    private static LowMark low() {
        return new LowMark(41, 99, CUT, new ConfigurationDigest("d"), LowMark.Totals.ZERO, "1f", STREAMS);
    }

    private static QueueMember queue() {
        return new QueueMember(
                "q1.1",
                EAST.lane(1),
                11,
                "a",
                "h",
                12,
                List.of(new ConfigurationDigest("d")),
                Positions.NONE,
                Positions.NONE,
                false,
                List.of(),
                0,
                List.of());
    }

    @Test
    void writesTheSameTextAsEarlierReleases() {
        assertThat(text(ZnodeCodec.encode(cycle()))).isEqualTo(CYCLE);
        assertThat(text(ZnodeCodec.encode(low()))).isEqualTo(LOW);
        assertThat(text(ZnodeCodec.encode(queue()))).isEqualTo(QUEUE);
        assertThat(text(ZnodeCodec.registered(EAST))).isEqualTo(REGISTERED);
        assertThat(text(ZnodeCodec.version(ZnodeCodec.PROTOCOL))).isEqualTo("{\"protocol\":2}");
    }

    @Test
    void readsTheTextOfEarlierReleases() throws MalformedZnodeException {
        assertThat(ZnodeCodec.cycle(bytes(CYCLE))).isEqualTo(cycle());
        assertThat(ZnodeCodec.low(bytes(LOW))).isEqualTo(low());
        assertThat(ZnodeCodec.queue(bytes(QUEUE))).isEqualTo(queue());
        assertThat(ZnodeCodec.registered(bytes(REGISTERED)).group()).isEqualTo(EAST);
    }

    @Test
    void keepsTheStateOfAJournal() throws MalformedZnodeException {
        QueueMember copied = queue().with(JournalState.of(0x1f).copiedAfter(3));

        assertThat(text(ZnodeCodec.registered(copied)))
                .isEqualTo("{\"registered\":true,\"group\":\"east.1\",\"journal\":\"1f\",\"copied\":3}");
        assertThat(ZnodeCodec.registered(ZnodeCodec.registered(copied)).journal())
                .isEqualTo(JournalState.of(0x1f).copiedAfter(3));
        assertThat(ZnodeCodec.registered(bytes(REGISTERED)).journal().copied()).isEmpty();
    }

    @Test
    void keepsTheLossesOfEachGroup() throws MalformedZnodeException {
        JournalLosses losses = JournalLosses.NONE.plus(EAST).plus(EAST).plus(JournalGroup.DEFAULT);

        assertThat(text(ZnodeCodec.losses(losses))).isEqualTo("{\"losses\":{\"main\":1,\"east\":2}}");
        assertThat(ZnodeCodec.losses(ZnodeCodec.losses(losses))).isEqualTo(losses);
        assertThat(ZnodeCodec.losses(bytes("{}"))).isEqualTo(JournalLosses.NONE);
        isMalformed(() -> ZnodeCodec.losses(bytes("{\"losses\":{\"No Group\":1}}")));
    }

    @Test
    void refusesNamesThatNoGroupHas() {
        for (String name : List.of("East", "", "east.0", "east.1.1", "a b")) {
            isMalformed(() -> ZnodeCodec.cycle(bytes(CYCLE.replace("\"east\"", "\"" + name + "\""))));
            isMalformed(() -> ZnodeCodec.low(bytes(LOW.replace("\"east\"", "\"" + name + "\""))));
            isMalformed(() -> ZnodeCodec.queue(bytes(QUEUE.replace("east.1", name))));
            isMalformed(() -> ZnodeCodec.registered(bytes(REGISTERED.replace("east", name))));
        }
    }

    @Test
    void refusesPartsThatAreNotThePartsOfTheCycle() {
        isMalformed(() -> ZnodeCodec.cycle(bytes(CYCLE.replace("\"parts\":2", "\"parts\":1"))));
        isMalformed(() -> ZnodeCodec.cycle(bytes(CYCLE.replace("\"parts\":2", "\"parts\":3"))));
        isMalformed(() -> ZnodeCodec.cycle(bytes(CYCLE.replace("\"parts\":2", "\"parts\":-1"))));
        isMalformed(() -> ZnodeCodec.cycle(bytes(CYCLE.replaceFirst("\"groups\":\\[[^]]*],", ""))));
    }

    private static void isMalformed(ThrowingCallable decoded) {
        assertThatThrownBy(decoded).isInstanceOf(MalformedZnodeException.class);
    }

    private static byte[] bytes(String json) {
        return json.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] json) {
        return new String(json, StandardCharsets.UTF_8);
    }
}
