package io.chimera.queue.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.spi.Chunk;
import io.chimera.common.channel.Peer;
import io.chimera.common.channel.PrincipalConnections;
import io.chimera.common.channel.StreamHandler;
import io.chimera.common.channel.WireProtocol;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.queue.parser.InfluxLineParser;
import io.chimera.queue.parser.KairosTelnetParser;
import io.chimera.queue.parser.OpenTsdbTelnetParser;
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
        connect(new LineStreamSource(rig.inlet(InfluxLineParser::new), NS_PER_S, TelnetAnswers.NONE));
    }

    private void connect(LineStreamSource source) {
        handler = source.get();
        handler.onOpen(peer);
    }

    /** Passes new bytes to the handler, after the bytes left over from the previous call. */
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
        connect(new LineStreamSource(rig.inlet(KairosTelnetParser::new), 1, TelnetAnswers.KAIROSDB));

        assertThat(receive("put m 1 2 a=b\nput m\n")).isTrue();
        handler.onReadComplete();

        assertThat(replies).containsExactly("Failed to execute command: put m Reason: missing time\n");
    }

    @Test
    void answersTheVersionOfTelnet() {
        connect(new LineStreamSource(rig.inlet(KairosTelnetParser::new), 1, TelnetAnswers.KAIROSDB));

        assertThat(receive("version\nput m 1 2 a=b\nhelp\n")).isTrue();
        handler.onReadComplete();

        assertThat(replies).containsExactly("KairosDB 1.3.0 (Chimera)\n");
        assertThat(rig.count(QueueCounter.PARSER_POINTS_REJECTED)).isZero();
        replies.clear();
        assertThat(receive("version\n".repeat(1_000))).isTrue();
        assertThat(replies).hasSize(16);
    }

    @Test
    void answersInTheWordsOfOpenTsdbAndClosesAtExit() {
        connect(new LineStreamSource(rig.inlet(OpenTsdbTelnetParser::new), 1, TelnetAnswers.OPENTSDB));

        assertThat(receive("put m 1 2 a=b\nput m\nget m\nhelp\nversion\nexit\n"))
                .isTrue();
        handler.onClose();

        assertThat(replies)
                .containsExactly(
                        "put: illegal argument: missing time\n",
                        "unknown command: get.  Try `help'.\n",
                        "available commands: exit help put putm stats version\n",
                        "net.opentsdb.tools 2.4.0 (Chimera)\n");
        assertThat(isClosed).isTrue();
        rig.takeSlots();
        assertThat(rig.points).hasSize(1);
    }

    @Test
    void answersAFloodOfBadLinesBriefly() {
        connect(new LineStreamSource(rig.inlet(KairosTelnetParser::new), 1, TelnetAnswers.KAIROSDB));

        assertThat(receive("nonsense\n".repeat(1_000))).isTrue();
        handler.onReadComplete();
        assertThat(replies).hasSize(16);
        assertThat(receive("nonsense\n")).isTrue();
        assertThat(replies).hasSize(17);
    }

    private void connectTo(WireProtocol protocol) {
        connect(new LineStreamSource(rig.inlet(InfluxLineParser::new).speaking(protocol), 1, TelnetAnswers.NONE));
    }

    @Test
    void refusesAnHttpRequestInHttp() {
        connectTo(WireProtocol.INFLUX);

        assertThat(receive("POST /write HTTP/1.1\r\nAuthorization: Token s3cr3t\r\n\r\nm f=1\n"))
                .isTrue();
        assertThat(receive("m f=2\n")).isTrue();
        handler.onReadComplete();
        rig.takeSlots();

        assertThat(replies).singleElement().satisfies(reply -> assertThat(reply)
                .startsWith("HTTP/1.1 400 ")
                .contains("HTTP request", "http address of an input"));
        assertThat(isClosed).isTrue();
        assertThat(rig.points).isEmpty();
        assertThat(rig.count(QueueCounter.PARSER_POINTS_REJECTED)).isEqualTo(1);
        rig.deadLetters.doWork();
        assertThat(rig.deadLetters.warnings()).singleElement().satisfies(warning -> assertThat(warning)
                .contains("Input in rejected data", "an HTTP request", "127.0.0.1:5")
                .doesNotContain("s3cr3t"));
    }

    @Test
    void refusesTlsThatComesInPieces() {
        connectTo(WireProtocol.INFLUX);
        assertThat(receive("\u0016")).isTrue();
        assertThat(isClosed).isFalse();
        assertThat(receive("\u0003\u0001\u0002\u0001\u0001\n")).isTrue();

        assertThat(isClosed).isTrue();
        assertThat(replies.get(0)).startsWith("ERROR ").contains("TLS handshake");
    }

    @Test
    void namesGraphiteInTheWarningAndGoesOn() {
        connectTo(WireProtocol.INFLUX);
        assertThat(receive("collectd.web1.load 1.5 1700000000\nm f=1\n")).isTrue();
        handler.onReadComplete();
        rig.takeSlots();
        rig.deadLetters.doWork();

        assertThat(isClosed).isFalse();
        assertThat(rig.points).hasSize(1);
        assertThat(rig.deadLetters.warnings()).singleElement().satisfies(warning -> assertThat(warning)
                .contains("1 times", "Graphite plaintext", "type graphite"));
    }

    @Test
    void leavesPluginsTheirOwnProtocol() {
        assertThat(receive("GET / HTTP/1.1\r\nm f=1\n")).isTrue();

        assertThat(isClosed).isFalse();
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
        connect(new LineStreamSource(rig.inlet(InfluxLineParser::new), 1, TelnetAnswers.NONE));

        assertThat(receive("m f=1\n")).isTrue();
        handler.onReadComplete();
        rig.takeSlots();
        assertThat(rig.points).hasSize(1);
    }

    @Test
    void closesConnectionsThatWereNeverOpened() {
        StreamHandler unopened = new LineStreamSource(rig.inlet(InfluxLineParser::new), 1, TelnetAnswers.NONE).get();
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
                TelnetAnswers.NONE));

        assertThat(receive("nonsense")).isTrue();
        assertThat(isClosed).isTrue();
        assertThat(left).isEmpty();
    }
}
