package io.chimera.api.kit;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.Parser;
import io.chimera.api.spi.ParserType;
import io.chimera.api.spi.PluginContext;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Contract test for parsers. Extend this class in a test of the plugin. */
public abstract class ParserContract {
    /** Called by subclasses. */
    protected ParserContract() {}

    /** Creates the parser type under test; a new object on every call. */
    protected abstract ParserType type();

    /** Returns valid settings. */
    protected abstract Record settings();

    /** Returns text of at least two whole points and nothing else. */
    protected abstract String good();

    /** Returns text with at least one bad point between good points. */
    protected abstract String withABadPoint();

    /** Returns constructor calls with invalid settings, each of which must be refused; by default none. */
    protected List<Runnable> badSettings() {
        return List.of();
    }

    private Parser parser() {
        return type().create(new PluginContext("kit", Map.of(), settings()));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static KitSink parse(Parser parser, byte[] text, int roomFor) {
        KitSink sink = new KitSink(roomFor);
        Chunk chunk = new Chunk().restart(1).wrap(text, 0, text.length, true);
        for (int calls = 0; !parser.parse(chunk, sink); calls++) {
            assertTrue(calls <= text.length, "the parser makes no progress although the sink has room");
            sink.makeRoom();
        }
        assertTrue(chunk.isEmpty(), "the last chunk must be consumed completely");
        return sink;
    }

    private KitSink whole() {
        try (Parser parser = parser()) {
            return parse(parser, bytes(good()), Integer.MAX_VALUE);
        }
    }

    @Test
    void parsesGoodPoints() {
        assertTrue(type().name().matches("[a-z0-9_]{1,64}"), "name: " + type().name());
        KitSink sink = whole();
        assertTrue(sink.points().size() >= 2, "good() must contain at least two points: " + sink.points());
        assertEquals(List.of(), sink.rejected());
    }

    /** The ring may be full at any point. */
    @Test
    void losesAndRepeatsNothingWhereTheSinkIsFull() {
        try (Parser parser = parser()) {
            assertEquals(whole().points(), parse(parser, bytes(good()), 1).points());
        }
    }

    /** TCP may split the text at any byte. */
    @Test
    void parsesTheSameWhereverTheTextIsCut() {
        byte[] text = bytes(good());
        List<String> expected = whole().points();
        for (int cut = 1; cut < text.length; cut++) {
            try (Parser parser = parser()) {
                KitSink sink = new KitSink(Integer.MAX_VALUE);
                Chunk chunk = new Chunk().restart(1).wrap(text, 0, cut, false);
                parser.parse(chunk, sink);
                int from = chunk.offset();
                parser.parse(chunk.wrap(text, from, text.length - from, true), sink);
                assertEquals(expected, sink.points(), "cut after " + cut + " bytes");
            }
        }
    }

    /** The parser reports a bad point through the sink, without an exception and without loss of good points. */
    @Test
    void rejectsABadPointAndKeepsTheOthers() {
        try (Parser parser = parser()) {
            KitSink sink = parse(parser, bytes(withABadPoint()), Integer.MAX_VALUE);
            assertTrue(!sink.rejected().isEmpty(), "the bad point must be rejected through the sink");
            assertTrue(!sink.points().isEmpty(), "good points must be kept");
        }
    }

    /** Bytes from the network must never cause an exception. */
    @Test
    void throwsAtNothing() {
        byte[] text = bytes(good());
        for (int i = 0; i < text.length; i++) {
            byte[] broken = text.clone();
            broken[i] = (byte) (broken[i] ^ 0xa5);
            try (Parser parser = parser()) {
                assertDoesNotThrow(() -> parse(parser, broken, Integer.MAX_VALUE));
            }
        }
    }

    /** A node reuses a parser for the next request. */
    @Test
    void beginsAnewAfterReset() {
        byte[] text = bytes(good());
        try (Parser parser = parser()) {
            parser.parse(new Chunk().restart(1).wrap(text, 0, text.length / 2, false), new KitSink(Integer.MAX_VALUE));
            parser.reset();
            assertEquals(
                    whole().points(), parse(parser, text, Integer.MAX_VALUE).points());
        }
    }

    @Test
    void takesNothing() {
        try (Parser parser = parser()) {
            assertEquals(List.of(), parse(parser, new byte[0], 1).points());
        }
    }

    @Test
    void canBeClosedTwice() {
        Parser parser = parser();
        parser.close();
        assertDoesNotThrow(parser::close);
    }

    /** A node reports bad settings before the node starts. */
    @Test
    void refusesBadSettings() {
        for (Runnable bad : badSettings()) {
            assertThrows(IllegalArgumentException.class, bad::run);
        }
    }
}
