package io.chimera.coordinator.zookeeper.znode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.archive.KnownArchive;
import io.chimera.common.error.ChimeraException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Tests round trips, compatibility with other releases, and the messages for malformed znodes. */
final class ZnodeCodecTest {

    @Test
    void readsWhatItWrote() throws MalformedZnodeException {
        assertThat(ZnodeCodec.queue(ZnodeCodec.encode(SampleZnodes.QUEUE))).isEqualTo(SampleZnodes.QUEUE);
        assertThat(ZnodeCodec.processor(ZnodeCodec.encode(SampleZnodes.PROCESSOR)))
                .isEqualTo(SampleZnodes.PROCESSOR);
        assertThat(ZnodeCodec.archive(ZnodeCodec.encode(SampleZnodes.ARCHIVE))).isEqualTo(SampleZnodes.ARCHIVE);
        assertThat(ZnodeCodec.known("a-1", ZnodeCodec.known(SampleZnodes.ARCHIVE)))
                .isEqualTo(new KnownArchive("a-1", SampleZnodes.ARCHIVE.kinds()));
        assertThat(ZnodeCodec.cycle(ZnodeCodec.encode(SampleZnodes.CYCLE))).isEqualTo(SampleZnodes.CYCLE);
        assertThat(ZnodeCodec.assignment(ZnodeCodec.encode(SampleZnodes.ASSIGNMENT), 3))
                .isEqualTo(SampleZnodes.ASSIGNMENT);
        assertThat(ZnodeCodec.commit(ZnodeCodec.encode(SampleZnodes.COMMIT))).isEqualTo(SampleZnodes.COMMIT);
        assertThat(ZnodeCodec.low(ZnodeCodec.encode(SampleZnodes.LOW))).isEqualTo(SampleZnodes.LOW);
        assertThat(ZnodeCodec.cycle(ZnodeCodec.encode(SampleZnodes.REPLAY))).isEqualTo(SampleZnodes.REPLAY);
        assertThat(ZnodeCodec.replayRequest("r-1", ZnodeCodec.encode(SampleZnodes.REQUEST)))
                .isEqualTo(SampleZnodes.REQUEST);
        assertThat(ZnodeCodec.replayMark(ZnodeCodec.encode(SampleZnodes.REPLAYED)))
                .isEqualTo(SampleZnodes.REPLAYED);
        assertThat(ZnodeCodec.session(ZnodeCodec.holder(-5))).isEqualTo(-5);
        assertThat(ZnodeCodec.protocol(ZnodeCodec.version(2))).isEqualTo(2);
        assertThat(ZnodeCodec.conductor(ZnodeCodec.conductor("c1"))).isEqualTo("c1");
    }

    @Test
    void writesWhatAnOperatorCanRead() {
        assertThat(text(ZnodeCodec.encode(SampleZnodes.CYCLE)))
                .isEqualTo("{\"cycle\":42,\"epoch\":7,\"time_ms\":1700000000000,\"clock_ms\":1700000000000,"
                        + "\"cut\":{\"8000000000000000\":5,\"ffffffffffffffff\":9223372036854775807,"
                        + "\"123456789abcdef0\":0},"
                        + "\"queues\":[\"fffffffffffffffe\",\"3\"],\"processors\":[\"4\"]}");
    }

    @Test
    void passesOverFieldsOfALaterRelease() throws MalformedZnodeException {
        String later = text(ZnodeCodec.encode(SampleZnodes.CYCLE)).replaceFirst("\\{", "{\"weight\": [1, {}], ");

        assertThat(ZnodeCodec.cycle(bytes(later))).isEqualTo(SampleZnodes.CYCLE);
    }

    @Test
    void saysWhatIsWrong() {
        refuses("", "not a JSON object");
        refuses("[1]", "not a JSON object");
        refuses("null", "not a JSON object");
        refuses("{\"cycle\": 1", "not JSON");
        refuses(cycle("1", "{}", "[\"1\"]") + " {}", "JSON object");
        refuses("{}", "no field 'cycle'");
        refuses(cycle("null", "{}", "[\"1\"]"), "no field 'cycle'");
        refuses(cycle("\"one\"", "{}", "[\"1\"]"), "'cycle' must be a whole number");
        refuses(cycle("\"1\"", "{}", "[\"1\"]"), "'cycle' must be a whole number");
        refuses(cycle("1.5", "{}", "[\"1\"]"), "'cycle' must be a whole number");
        refuses(cycle("9223372036854775808", "{}", "[\"1\"]"), "'cycle' must be a whole number");
        refuses(cycle("1", "[]", "[\"1\"]"), "'cut' must be an object");
        refuses(cycle("1", "{\"x\": 1}", "[\"1\"]"), "'cut' must be a hex number");
        refuses(cycle("1", "{\"1\": -1}", "[\"1\"]"), "position of stream 1 must be 0 or more");
        refuses(cycle("1", "{\"1\": \"2\"}", "[\"1\"]"), "'cut.1' must be a whole number");
        refuses(cycle("1", "{}", "{}"), "'queues' must be a list");
        refuses(cycle("1", "{}", "[1]"), "'queues[0]' must be a hex number");
        refuses(cycle("1", "{}", "[\"1\", null]"), "'queues");
        refuses(cycle("1", "{}", "[]"), "lists no queue nodes");
        refuses(cycle("1", "{}", "[\"10000000000000000\"]"), "must be a hex number");
        refuses("{\"later\": " + "[".repeat(100_000), "not JSON");
        assertThatThrownBy(() -> ZnodeCodec.cycle(null)).hasMessageContaining("not a JSON object");
    }

    @Test
    void saysWhatIsWrongWithFieldsOfOtherTypes() {
        String processor = text(ZnodeCodec.encode(SampleZnodes.PROCESSOR));

        refusesProcessor(processor.replace("false", "0"), "'leaving' must be true or false");
        refusesProcessor(processor.replace("\"[::1]:1\"", "1"), "'address' must be text");
        refusesProcessor(processor.replace("\"kairos\"", "1.5"), "'stores_out[0]' must be text");
        assertThatThrownBy(() -> ZnodeCodec.protocol(bytes("{\"protocol\": 2147483648}")))
                .hasMessageContaining("'protocol' must be");
        assertThatThrownBy(() -> ZnodeCodec.low(
                        bytes(text(ZnodeCodec.encode(SampleZnodes.LOW)).replace("\"rows\":5", "\"rows\":true"))))
                .hasMessageContaining("'totals.rows' must be a whole number");
    }

    @Test
    void refusesToWriteWhatZooKeeperWouldNotTake() {
        Positions.Builder streams = Positions.builder();
        for (long stream = 1; stream <= 20_000; stream++) {
            streams.put(-stream, Long.MAX_VALUE);
        }
        QueueMember member = new QueueMember("q1", 1, "a", "h", 2, "d", Positions.NONE, streams.build(), false);

        assertThatThrownBy(() -> ZnodeCodec.encode(member))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("the limit is 524288")
                .hasMessageContaining("remove queue nodes");
    }

    private static String cycle(String number, String cut, String queues) {
        return "{\"cycle\": " + number + ", \"epoch\": 1, \"time_ms\": 1, \"cut\": " + cut + ", \"queues\": " + queues
                + ", \"processors\": [\"1\"]}";
    }

    private static void refusesProcessor(String json, String message) {
        assertThatThrownBy(() -> ZnodeCodec.processor(bytes(json)))
                .isInstanceOf(MalformedZnodeException.class)
                .hasMessageContaining(message);
    }

    private static void refuses(String json, String message) {
        assertThatThrownBy(() -> ZnodeCodec.cycle(bytes(json)))
                .isInstanceOf(MalformedZnodeException.class)
                .hasMessageContaining(message);
    }

    private static byte[] bytes(String json) {
        return json.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] json) {
        return new String(json, StandardCharsets.UTF_8);
    }
}
