package io.chimera.queue.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.spi.Chunk;
import io.chimera.common.channel.Peer;
import io.chimera.common.channel.PrincipalConnections;
import io.chimera.common.channel.StreamHandler;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.queue.parser.InfluxLineParser;
import io.chimera.queue.parser.KairosTelnetParser;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LineStreamSourceTest {
    private static final long NS_PER_S = 1_000_000_000;

    @TempDir
    Path folder;

    private SourceRig rig;
    private StreamHandler handler;
    private final List<String> replies = new ArrayList<>();
    private final Chunk chunk = new Chunk();
    private String left = "";
    private boolean isClosed;

    private final Peer peer = new Peer() {
        @Override
        public InetSocketAddress address() {
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), 5);
        }

        @Override
        public boolean admit(String principal, int connectionsMax, PrincipalConnections all) {
            return true;
        }

        @Override
        public void reply(byte[] bytes) {
            replies.add(new String(bytes, StandardCharsets.UTF_8));
        }

        @Override
        public void close() {
            isClosed = true;
        }
    };

    @BeforeEach
    void setUp() {
        rig = new SourceRig(folder, 4, 4096);
        connect(new LineStreamSource(rig.inlet(InfluxLineParser::new), NS_PER_S, false));
    }

    private void connect(LineStreamSource source) {
        handler = source.get();
        handler.onOpen(peer);
    }

    /** Hands bytes over behind those that were left. */
    private boolean receive(String text) {
        byte[] bytes = (left + text).getBytes(StandardCharsets.UTF_8);
        boolean room = handler.onBytes(chunk.wrap(bytes, 0, bytes.length, false));
        left = new String(bytes, chunk.offset(), chunk.limit() - chunk.offset(), StandardCharsets.UTF_8);
        return room;
    }

    @Test
    void publishesWhatWasReadWhenNothingMoreLiesReady() {
        assertThat(receive("m f=1 5\nm f=2")).isTrue();
        assertThat(receive(" 6\nm f")).isTrue();
        assertThat(rig.takeSlots()).isZero();

        handler.onReadComplete();

        assertThat(rig.takeSlots()).isEqualTo(1);
        assertThat(rig.values("f")).containsExactly(1.0, 2.0);
        assertThat(rig.points.get(1).timeNs()).isEqualTo(6 * NS_PER_S);
        assertThat(rig.count(QueueCounter.SOURCE_BYTES_RECEIVED)).isEqualTo(19);
        assertThat(rig.count(QueueCounter.SOURCE_CONNECTIONS)).isEqualTo(1);
    }

    @Test
    void stopsReadingWhileTheRingIsFullAndLosesNothing() {
        String line = "m f=1,text=\"" + "x".repeat(300) + "\"\n";
        boolean room = true;
        int sent = 0;
        while (room) {
            sent++;
            room = receive(line);
        }
        assertThat(rig.ring.used()).isEqualTo(4);
        assertThat(receive("")).isFalse();
        rig.takeSlots();

        assertThat(receive("")).isTrue();
        handler.onReadComplete();
        rig.takeSlots();

        assertThat(rig.points).hasSize(sent);
        assertThat(rig.count(QueueCounter.SOURCE_BYTES_RECEIVED)).isEqualTo((long) sent * line.length());
    }

    @Test
    void isSilentOnBadLinesOfAgents() {
        assertThat(receive("bad\nm f=1\n")).isTrue();
        handler.onReadComplete();
        rig.takeSlots();

        assertThat(replies).isEmpty();
        assertThat(rig.points).hasSize(1);
        assertThat(rig.count(QueueCounter.PARSER_POINTS_REJECTED)).isEqualTo(1);
    }

    @Test
    void answersBadLinesOfPeople() {
        connect(new LineStreamSource(rig.inlet(KairosTelnetParser::new), 1, true));

        assertThat(receive("put m 1 2 a=b\nput m\n")).isTrue();
        handler.onReadComplete();

        assertThat(replies).containsExactly("Failed to execute command: put m Reason: missing time\n");
    }

    @Test
    void answersAFloodOfBadLinesBriefly() {
        connect(new LineStreamSource(rig.inlet(KairosTelnetParser::new), 1, true));

        assertThat(receive("nonsense\n".repeat(1_000))).isTrue();
        handler.onReadComplete();
        assertThat(replies).hasSize(16);
        assertThat(receive("nonsense\n")).isTrue();
        assertThat(replies).hasSize(17);
    }

    @Test
    void publishesWhatWasReadWhenTheConnectionCloses() {
        assertThat(receive("m f=1\n")).isTrue();

        handler.onClose();

        assertThat(rig.takeSlots()).isEqualTo(1);
        assertThat(rig.points).hasSize(1);
    }

    @Test
    void aParserGoesToTheNextConnectionWithoutItsPast() {
        receive("x".repeat(70_000));
        handler.onClose();
        left = "";
        connect(new LineStreamSource(rig.inlet(InfluxLineParser::new), 1, false));

        assertThat(receive("m f=1\n")).isTrue();
        handler.onReadComplete();
        rig.takeSlots();
        assertThat(rig.points).hasSize(1);
    }

    @Test
    void closesConnectionsThatWereNeverOpened() {
        StreamHandler unopened = new LineStreamSource(rig.inlet(InfluxLineParser::new), 1, false).get();
        unopened.onClose();
        assertThat(rig.takeSlots()).isZero();
    }

    @Test
    void closesTheConnectionWhoseParserGivesUp() {
        connect(new LineStreamSource(
                rig.inlet(() -> (input, sink) -> {
                    input.abandon();
                    return true;
                }),
                1,
                false));

        assertThat(receive("nonsense")).isTrue();
        assertThat(isClosed).isTrue();
        assertThat(left).isEmpty();
    }
}
