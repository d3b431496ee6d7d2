package io.chimera.coordinator.zookeeper.znode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.ControlMark;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.archive.KnownArchive;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the exact text of every znode: nodes of two releases share a tree during an upgrade. */
final class ZnodeGoldenTest {
    private static final String CUT =
            "{\"8000000000000000\":5,\"ffffffffffffffff\":9223372036854775807,\"123456789abcdef0\":0}";
    private static final String TOTALS =
            "{\"points\":10,\"aggregated\":1,\"late\":2,\"rejected\":3,\"filtered\":4,\"rows\":5}";
    private static final String QUEUE = "{\"id\":\"q1\",\"session\":\"fffffffffffffffe\",\"address\":\"10.0.0.1:7000\","
            + "\"http\":\"q1:9600\",\"stream\":\"fffffffffffffffd\",\"leaving\":true,\"clock_ms\":1700000000000,"
            + "\"digest\":\"d16e57\",\"digests\":[\"d16e57\",\"d16e56;a=1.0 (f00d)\"],\"bases\":{},\"positions\":" + CUT
            + ",\"unreachable\":[\"5\"],\"past\":[{\"first\":3,\"last\":9},{\"first\":12,\"last\":12}],"
            + "\"kept\":{\"history\":\"1f\",\"low\":3,\"newest\":9}}";
    private static final String PROCESSOR = "{\"id\":\"p.1-ä\",\"session\":\"7\",\"address\":\"[::1]:1\","
            + "\"http\":\"\",\"leaving\":false,\"digest\":\"\\\"quoted\\\"\",\"digests\":[\"\\\"quoted\\\"\"],"
            + "\"stores_out\":[\"kairos\",\"ä\\\"\"]}";
    private static final String ARCHIVE = "{\"id\":\"a-1\",\"session\":\"fffffffffffffffb\",\"http\":\"a1:9610\","
            + "\"span_ns\":60000000000,\"keys\":-7,\"generation\":3,\"kinds\":[\"packets\",\"points\"]}";
    private static final String KNOWN = "{\"registered\":true,\"kinds\":[\"packets\",\"points\"]}";
    private static final String CYCLE = "{\"cycle\":42,\"epoch\":7,\"time_ms\":1700000000000,"
            + "\"clock_ms\":1700000000000,\"cut\":" + CUT
            + ",\"queues\":[\"fffffffffffffffe\",\"3\"],\"processors\":[\"4\"]}";
    private static final String REPLAY = "{\"cycle\":1000000000000003,\"epoch\":7,\"time_ms\":1700000000000,"
            + "\"clock_ms\":1699999000000,\"cut\":" + CUT + ",\"queues\":[\"fffffffffffffffe\"],\"processors\":[\"4\"],"
            + "\"replay\":{\"request\":\"r-1\",\"cycle\":17,\"pipeline\":\"p\",\"before\":{\"ffffffffffffffff\":3}}}";
    private static final String ASSIGNMENT = "{\"digest\":\"d16e57\","
            + "\"owners\":[\"fffffffffffffffe\",\"fffffffffffffffe\"],\"processors\":[\"9\"]}";
    private static final String COMMIT = "{\"cycle\":42,\"shard\":6,\"session\":\"fffffffffffffff7\",\"aggregated\":1,"
            + "\"late\":2,\"rejected\":3,\"filtered\":4,\"rows\":5,\"checksum\":\"fffffffffffffffa\"}";
    private static final String LOW = "{\"cycle\":41,\"time_ms\":99,\"digest\":\"d16e56\",\"history\":\"\",\"cut\":"
            + CUT + ",\"totals\":" + TOTALS + "}";
    private static final String REQUEST = "{\"pipeline\":\"p\",\"next\":1,\"skipped\":1,\"accounts\":" + TOTALS
            + ",\"cycles\":[{\"cycle\":17,\"time_ms\":1000,\"clock_ms\":900,\"before\":{\"ffffffffffffffff\":3},"
            + "\"cut\":{\"ffffffffffffffff\":5}},{\"cycle\":18,\"time_ms\":2000,\"clock_ms\":2000,"
            + "\"before\":{\"ffffffffffffffff\":5},\"cut\":{\"ffffffffffffffff\":6}}]}";
    private static final String REPLAYED = "{\"cycle\":1000000000000002,\"totals\":" + TOTALS + "}";

    private static final QueueMember MEMBER =
            SampleZnodes.QUEUE.keeping(new ControlMark("1f", 3, 9)).clockedAt(1_700_000_000_000L);

    @Test
    void writesTheSameTextAsEarlierReleases() {
        assertThat(text(ZnodeCodec.encode(MEMBER))).isEqualTo(QUEUE);
        assertThat(text(ZnodeCodec.encode(SampleZnodes.PROCESSOR))).isEqualTo(PROCESSOR);
        assertThat(text(ZnodeCodec.encode(SampleZnodes.ARCHIVE))).isEqualTo(ARCHIVE);
        assertThat(text(ZnodeCodec.known(SampleZnodes.ARCHIVE))).isEqualTo(KNOWN);
        assertThat(text(ZnodeCodec.encode(SampleZnodes.CYCLE))).isEqualTo(CYCLE);
        assertThat(text(ZnodeCodec.encode(SampleZnodes.REPLAY))).isEqualTo(REPLAY);
        assertThat(text(ZnodeCodec.encode(SampleZnodes.ASSIGNMENT))).isEqualTo(ASSIGNMENT);
        assertThat(text(ZnodeCodec.encode(SampleZnodes.COMMIT))).isEqualTo(COMMIT);
        assertThat(text(ZnodeCodec.encode(SampleZnodes.LOW.totals()))).isEqualTo(TOTALS);
        assertThat(text(ZnodeCodec.encode(SampleZnodes.LOW))).isEqualTo(LOW);
        assertThat(text(ZnodeCodec.encode(SampleZnodes.REQUEST))).isEqualTo(REQUEST);
        assertThat(text(ZnodeCodec.encode(SampleZnodes.REPLAYED))).isEqualTo(REPLAYED);
        assertThat(text(ZnodeCodec.version(ZnodeCodec.PROTOCOL_OF_ONE_GROUP))).isEqualTo("{\"protocol\":1}");
        assertThat(text(ZnodeCodec.conductor("c1"))).isEqualTo("{\"conductor\":\"c1\"}");
        assertThat(text(ZnodeCodec.registered(JournalGroup.DEFAULT))).isEqualTo("{\"registered\":true}");
        assertThat(text(ZnodeCodec.holder(-5))).isEqualTo("{\"session\":\"fffffffffffffffb\",\"protocol\":2}");
    }

    @Test
    void writesTheClaimOfAnIdBesideItsHolder() throws MalformedZnodeException {
        String claim = "\"claim\":{\"session\":\"fffffffffffffffe\",\"http\":\"q1:9600\"}}";
        assertThat(text(ZnodeCodec.claimed(ZnodeCodec.holder(-5), bytes(QUEUE))))
                .isEqualTo("{\"session\":\"fffffffffffffffb\",\"protocol\":2," + claim);
        byte[] ofEarlierRelease = bytes("{\"session\":\"fffffffffffffffb\"}");
        assertThat(text(ZnodeCodec.claimed(ofEarlierRelease, bytes(QUEUE))))
                .isEqualTo("{\"session\":\"fffffffffffffffb\"," + claim);
    }

    @Test
    void tellsProcessesOfEarlierReleases() throws MalformedZnodeException {
        assertThat(ZnodeCodec.protocolOfHolder(ZnodeCodec.holder(-5))).isEqualTo(ZnodeCodec.PROTOCOL);
        assertThat(ZnodeCodec.protocolOfHolder(bytes("{\"session\":\"fffffffffffffffb\"}")))
                .isEqualTo(ZnodeCodec.PROTOCOL_OF_ONE_GROUP);
        assertThat(ZnodeCodec.candidate("c1")).isEqualTo("{\"coordinator\":\"c1\",\"protocol\":2}");
        assertThat(ZnodeCodec.protocolOfCandidate(bytes(ZnodeCodec.candidate("c1"))))
                .isEqualTo(ZnodeCodec.PROTOCOL);
        assertThat(ZnodeCodec.protocolOfCandidate(bytes("c1"))).isEqualTo(ZnodeCodec.PROTOCOL_OF_ONE_GROUP);
    }

    @Test
    void readsTheTextOfEarlierReleases() throws MalformedZnodeException {
        assertThat(ZnodeCodec.queue(bytes(QUEUE))).isEqualTo(MEMBER);
        assertThat(ZnodeCodec.processor(bytes(PROCESSOR))).isEqualTo(SampleZnodes.PROCESSOR);
        assertThat(ZnodeCodec.archive(bytes(ARCHIVE))).isEqualTo(SampleZnodes.ARCHIVE);
        assertThat(ZnodeCodec.known("a", bytes(KNOWN))).isEqualTo(new KnownArchive("a", SampleZnodes.ARCHIVE.kinds()));
        assertThat(ZnodeCodec.cycle(bytes(CYCLE))).isEqualTo(SampleZnodes.CYCLE);
        assertThat(ZnodeCodec.cycle(bytes(REPLAY))).isEqualTo(SampleZnodes.REPLAY);
        assertThat(ZnodeCodec.assignment(bytes(ASSIGNMENT), 3)).isEqualTo(SampleZnodes.ASSIGNMENT);
        assertThat(ZnodeCodec.commit(bytes(COMMIT))).isEqualTo(SampleZnodes.COMMIT);
        assertThat(ZnodeCodec.low(bytes(LOW))).isEqualTo(SampleZnodes.LOW);
        assertThat(ZnodeCodec.replayRequest("r-1", bytes(REQUEST))).isEqualTo(SampleZnodes.REQUEST);
        assertThat(ZnodeCodec.replayMark(bytes(REPLAYED))).isEqualTo(SampleZnodes.REPLAYED);
    }

    @Test
    void readsZnodesWithoutFieldsOfLaterReleases() throws MalformedZnodeException {
        assertThat(ZnodeCodec.queue(bytes("{\"id\":\"q1\",\"session\":\"b\",\"address\":\"a\",\"http\":\"h\","
                        + "\"stream\":\"c\",\"leaving\":false,\"digest\":\"d\",\"bases\":{},\"positions\":{},"
                        + "\"unreachable\":[]}")))
                .isEqualTo(new QueueMember("q1", 11, "a", "h", 12, "d", Positions.NONE, Positions.NONE, false));
        assertThat(ZnodeCodec.processor(bytes("{\"id\":\"p1\",\"session\":\"15\",\"address\":\"a\",\"http\":\"h\","
                        + "\"leaving\":true,\"digest\":\"d\"}")))
                .isEqualTo(new ProcessorMember("p1", 21, "a", "h", "d", true));
        assertThat(ZnodeCodec.cycle(bytes("{\"cycle\":1,\"epoch\":2,\"time_ms\":3,\"cut\":{},\"queues\":[\"b\"],"
                        + "\"processors\":[\"15\"]}")))
                .isEqualTo(new Cycle(1, 2, 3, Positions.NONE, List.of(11L), List.of(21L)));
        assertThat(ZnodeCodec.assignment(bytes("{\"owners\":[\"b\"],\"processors\":[]}"), 0)
                        .digest())
                .isEqualTo(ConfigurationDigest.NONE);
        assertThat(ZnodeCodec.low(bytes("{\"cycle\":41,\"time_ms\":99,\"cut\":{},\"totals\":" + TOTALS + "}")))
                .isEqualTo(new LowMark(41, 99, Positions.NONE, SampleZnodes.LOW.totals()));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 100})
    void keepsTheWeightOfAProcessor(int weight) throws MalformedZnodeException {
        ProcessorMember member = new ProcessorMember(
                "p1", 21, "a", "h", List.of(new ConfigurationDigest("d")), false, List.of(), weight);

        assertThat(text(ZnodeCodec.encode(member))).endsWith(",\"weight\":" + weight + "}");
        assertThat(ZnodeCodec.processor(ZnodeCodec.encode(member))).isEqualTo(member);
    }

    @Test
    void refusesANegativeWeight() {
        String negative = PROCESSOR.replace("]}", "],\"weight\":-1}");

        assertThatThrownBy(() -> ZnodeCodec.processor(bytes(negative)))
                .isInstanceOf(MalformedZnodeException.class)
                .hasMessageContaining("weight");
    }

    @Test
    void readsSpansOfCyclesLeniently() throws MalformedZnodeException {
        String reversed = QUEUE.replace("\"first\":3", "\"first\":10");

        assertThat(ZnodeCodec.queue(bytes(reversed)).past().get(0).last()).isEqualTo(10);
    }

    private static byte[] bytes(String json) {
        return json.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] json) {
        return new String(json, StandardCharsets.UTF_8);
    }
}
