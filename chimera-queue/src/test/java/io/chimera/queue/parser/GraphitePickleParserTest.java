package io.chimera.queue.parser;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.spi.Chunk;
import io.chimera.common.config.GraphiteConfig;
import io.chimera.common.metrics.AllocatedBytes;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class GraphitePickleParserTest {
    private final GraphitePickleParser parser = new GraphitePickleParser(List.of());

    private static byte[] message(byte[] pickle) {
        return ByteBuffer.allocate(4 + pickle.length)
                .putInt(pickle.length)
                .put(pickle)
                .array();
    }

    /** A message in Latin-1 characters. */
    private static byte[] message(String pickle) {
        return message(pickle.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Passes bytes of a connection that goes on. */
    private Chunk receive(RecordingSink sink, byte[] bytes) {
        Chunk chunk = new Chunk().restart(1).wrap(bytes, 0, bytes.length, false);
        assertThat(parser.parse(chunk, sink)).isTrue();
        return chunk;
    }

    private static List<String> shown(RecordingSink sink) {
        return sink.points.stream()
                .map(point -> point.key().metric() + point.key().tags().asMap()
                        + point.fields().get("value") + "@" + point.timeNs())
                .toList();
    }

    /** Written by Python's pickle.dumps with protocols 0 to 5. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "000000a0286c70300a2856612e623b686f73743de40a70310a2849313730303030303030300a46312e350a7470320a7470330a612856630a70340a2846313730303030303030302e350a492d320a7470350a7470360a612867310a28492d310a4c31323334353637383930314c0a7470370a7470380a61286c70390a56640a7031300a61286c7031310a49313730303030303030300a6156372e350a7031320a6161612e",
                "0000008a5d71002828580b000000612e623b686f73743dc3a47101284a00f15365473ff8000000000000747102747103285801000000637104284741d954fc402000004afeffffff747105747106286801284affffffff4c31323334353637383930314c0a7471077471085d710928580100000064710a5d710b284a00f153655803000000372e35710c6565652e",
                "0000007f80025d710028580b000000612e623b686f73743dc3a471014a00f15365473ff800000000000086710286710358010000006371044741d954fc402000004afeffffff86710586710668014affffffff8a05351cdcdf028671078671085d710928580100000064710a5d710b284a00f153655803000000372e35710c6565652e",
                "0000007f80035d710028580b000000612e623b686f73743dc3a471014a00f15365473ff800000000000086710286710358010000006371044741d954fc402000004afeffffff86710586710668014affffffff8a05351cdcdf028671078671085d710928580100000064710a5d710b284a00f153655803000000372e35710c6565652e",
                "0000006f80049564000000000000005d94288c0b612e623b686f73743dc3a4944a00f15365473ff8000000000000869486948c0163944741d954fc402000004afeffffff8694869468014affffffff8a05351cdcdf02869486945d94288c0164945d94284a00f153658c03372e35946565652e",
                "0000006f80059564000000000000005d94288c0b612e623b686f73743dc3a4944a00f15365473ff8000000000000869486948c0163944741d954fc402000004afeffffff8694869468014affffffff8a05351cdcdf02869486945d94288c0164945d94284a00f153658c03372e35946565652e"
            })
    void readsPicklesOfPython(String hex) {
        RecordingSink sink = new RecordingSink();

        receive(sink, HexFormat.of().parseHex(hex));

        assertThat(sink.rejects).isEmpty();
        assertThat(shown(sink))
                .containsExactly(
                        "a.b{host=ä}1.5@1700000000000000000",
                        "c{}-2.0@1700000000500000000",
                        "a.b{host=ä}1.2345678901E10@" + RecordingSink.ARRIVAL_NS,
                        "d{}7.5@1700000000000000000");
    }

    @Test
    void appliesTemplates() {
        RecordingSink sink = new RecordingSink();
        byte[] bytes = message("(lp0\n(S'servers.a.cpu'\n(I5\nF1.5\nttp1\na.");
        new GraphitePickleParser(new GraphiteConfig(List.of(".host.metric*")).parsedTemplates())
                .parse(new Chunk().restart(1).wrap(bytes, 0, bytes.length, false), sink);

        assertThat(shown(sink)).containsExactly("cpu{host=a}1.5@5000000000");
    }

    @Test
    void resolvesEscapesOfProtocolZero() {
        RecordingSink sink = new RecordingSink();
        receive(sink, message("(l(S'a\\'\\\\\\xc3\\xa4'\n(I1\nI2\ntta(V\\u00e4\\U0001f600\u00fc\n(I1\nL3L\ntta."));

        assertThat(shown(sink)).containsExactly("a'\\ä{}2.0@1000000000", "ä😀ü{}3.0@1000000000");
    }

    /** Instructions that name or call a class, and everything else besides data. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "cos\nsystem\n(S'true'\ntR.",
                "(l(S'a'\n(I1\ncposix\nsystem\ntta.",
                "}.",
                "N.",
                "(l(S'a'\n(I1\nNtta.",
                "(lp199999\n.",
                "(lp-1\n.",
                "(lg5\na.",
                "(l(S'a'\n(I1\nI2\ntta",
                "S'a'\n.",
                "a.",
                "t.",
                "l.",
                "(l0.",
                "((l.",
                "(lI1\n.",
                "(lT\u00ff\u00ff\u00ff\u007f.",
                "\u0080\u0006(l.",
                "\u008a\u0009123456789.",
                "S'a\n.",
                "Ix\n.",
                "",
            })
    void endsTheConnectionAtAnyOtherInstruction(String pickle) {
        RecordingSink sink = new RecordingSink();

        Chunk chunk = receive(sink, message(pickle));

        assertThat(chunk.isAbandoned()).isTrue();
        assertThat(sink.points).isEmpty();
        assertThat(sink.rejects).singleElement().satisfies(reject -> assertThat(reject.reason())
                .contains("pickled list"));
    }

    @Test
    void rejectsABadPointAsALineAndKeepsTheOthers() {
        RecordingSink sink = new RecordingSink();
        Chunk chunk = receive(
                sink,
                message("(l(S'a'\n(I1\nI2\ntta(S'b'\n(I1\nFnan\ntta(S'c'\nI1\nta(I1\n(I1\nI1\ntta"
                        + "(S'd'\n(I-5\nI1\ntta(S'e'\n(F1e300\nI1\ntta(S'f'\n(S'x'\nI1\ntta(S'g'\n(I3\nI4\ntta."));

        assertThat(chunk.isEmpty()).isTrue();
        assertThat(chunk.isAbandoned()).isFalse();
        assertThat(shown(sink)).containsExactly("a{}2.0@1000000000", "g{}4.0@3000000000");
        assertThat(sink.rejects)
                .containsExactly(
                        new RecordingSink.Reject(2, "value is NaN or infinite", "b NaN 1"),
                        new RecordingSink.Reject(3, "(path, (time, value)) is expected", "c ? ?"),
                        new RecordingSink.Reject(4, "(path, (time, value)) is expected", "1 1 1"),
                        new RecordingSink.Reject(5, "time outside range 1970 to 2262", "d 1 -5"),
                        new RecordingSink.Reject(6, "time out of range", "e 1 1.0E300"),
                        new RecordingSink.Reject(7, "(path, (time, value)) is expected", "f 1 x"));
    }

    /** A message may be hostile: too long, with endless values, a memory of references, a list that contains itself. */
    @Test
    void boundsMessagesAndValues() {
        RecordingSink sink = new RecordingSink();
        assertThat(receive(sink, new byte[] {0, 16, 0, 1, 'x'}).isAbandoned()).isTrue();
        assertThat(receive(sink, new byte[] {-1, -1, -1, -1}).isAbandoned()).isTrue();
        assertThat(receive(sink, "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII))
                        .isAbandoned())
                .isTrue();
        assertThat(receive(sink, message("(" + "K\0".repeat(500_000) + "l.")).isAbandoned())
                .isTrue();
        assertThat(receive(sink, message("(l" + "(".repeat(1_000_000))).isAbandoned())
                .isTrue();
        assertThat(receive(sink, message("(l" + ")\u0085".repeat(500_000) + "a."))
                        .isAbandoned())
                .isTrue();
        assertThat(sink.rejects).hasSize(6);
        assertThat(sink.points).isEmpty();
        receive(sink, message("(lp0\n" + "g0\na".repeat(100) + "."));
        assertThat(sink.rejects).hasSize(106);
        parser.reset();
        String path = "x".repeat(200_000);
        receive(sink, message("(l(S'" + path + "'\n(I1\nI2\ntta."));
        assertThat(sink.rejects).hasSize(107);
        assertThat(sink.points).isEmpty();
    }

    /** Two bytes refer to a text of any length, so a small message could have the work of a large one. */
    @Test
    void boundsTheTextsOfAllPointsOfAMessage() {
        String text = "(l(S'" + "a".repeat(100_000) + "'\n(I1\nI2\nttp1\na";
        RecordingSink sink = new RecordingSink();

        assertThat(receive(sink, message(text + "g1\na".repeat(83) + ".")).isAbandoned())
                .isTrue();
        assertThat(sink.rejects).hasSize(1);
        assertThat(sink.rejects.get(0).reason()).isEqualTo(ParseError.PICKLE_TOO_LONG.text());

        parser.reset();
        assertThat(receive(sink, message(text + "g1\na".repeat(80) + ".")).isAbandoned())
                .isFalse();
    }

    @Test
    void waitsForTheRestAndReadsMessagesOneAfterTheOther() {
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        StringBuilder large = new StringBuilder("(l");
        for (int i = 0; i < 10_000; i++) {
            large.append("(S'path.")
                    .append(i)
                    .append("'\n(I")
                    .append(i)
                    .append("\nI")
                    .append(i)
                    .append("\ntta");
        }
        both.writeBytes(message(large + "."));
        both.writeBytes(message("(l."));
        both.writeBytes(message("(l(S'last'\n(I1\nI2\ntta."));
        RecordingSink sink = new RecordingSink();
        new ChunkFeeder(new Random(5)).feed(parser, sink, both.toByteArray(), 20_000, true);

        assertThat(sink.rejects).isEmpty();
        assertThat(sink.points).hasSize(10_001);
        assertThat(sink.points.get(10_000).key().metric()).isEqualTo("last");
    }

    @Test
    void allocatesNothing() {
        byte[] text =
                message("(l" + "(S'a.b.c;host=d'\nq\0(I1700000000\nF1.5\ntta(h\0(J\1\2\3\4K\7tta".repeat(200) + ".");
        Chunk chunk = new Chunk();
        CountingSink sink = new CountingSink();

        assertThat(AllocatedBytes.of(() -> {
                    chunk.restart(1).wrap(text, 0, text.length, true);
                    if (!parser.parse(chunk, sink) || !chunk.isEmpty()) {
                        throw new AssertionError("There is room.");
                    }
                }))
                .isZero();
        assertThat(sink.points).isPositive();
        assertThat(sink.rejects).isZero();
    }
}
