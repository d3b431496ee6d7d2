package io.chimera.queue.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.Parser;
import io.chimera.common.agent.Waits;
import io.chimera.queue.parser.InfluxLineParser;
import io.chimera.queue.parser.KairosJsonParser;
import io.chimera.queue.parser.KairosTelnetParser;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class InputContextTest {
    @TempDir
    Path folder;

    // fields keep these objects reachable for the whole test
    private SourceRig rig;
    private InputContext inlet;

    @BeforeEach
    void setUp() {
        rig = new SourceRig(folder, 4, 64 << 10);
    }

    /** Input for each protocol, with numbers of every kind and malformed points. */
    static Stream<Arguments> protocols() {
        return Stream.of(
                arguments(
                        "line protocol",
                        (Supplier<Parser>) InfluxLineParser::new,
                        "cpu,host=a idle=12.5,n=3i,x=1e300,t=\"text\" 1700000000000000000\nbad\nm f=1 17\nm f=2 17"),
                arguments(
                        "JSON",
                        (Supplier<Parser>) KairosJsonParser::new,
                        "[{\"name\":\"m\",\"tags\":{\"a\":\"b\"},\"datapoints\":[[1,2],[3,4.5],[5]]},{\"name\":1}]"),
                arguments(
                        "JSON cut off", (Supplier<Parser>) KairosJsonParser::new, "[{\"name\":\"m\",\"tags\":{\"a\":"),
                arguments(
                        "telnet",
                        (Supplier<Parser>) KairosTelnetParser::new,
                        "put m 1700000000 12.5 host=a\nbad\nputs m 1700000000 text host=a"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("protocols")
    void whatLiesInThePoolsKeepsNoBodyAlive(String protocol, Supplier<Parser> parsers, String text) {
        inlet = rig.inlet(parsers);

        WeakReference<byte[]> body = parse(text);

        awaitCollected(body);
    }

    /** Without new writes, a ring keeps its journaled slots. */
    @Test
    void slotsThatWereJournaledKeepNoRequestAlive() {
        inlet = rig.inlet(InfluxLineParser::new);

        WeakReference<Delivery> delivery = deliver("m f=1 17");
        rig.journal();

        awaitCollected(delivery);
    }

    private WeakReference<byte[]> parse(String text) {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        parse(body, null);
        return new WeakReference<>(body);
    }

    private WeakReference<Delivery> deliver(String text) {
        Delivery delivery = new Delivery() {
            @Override
            void done(String reason) {}
        };
        parse(text.getBytes(StandardCharsets.UTF_8), delivery);
        return new WeakReference<>(delivery);
    }

    private void parse(byte[] body, Delivery delivery) {
        Parser parser = inlet.takeParser();
        RingPointSink sink = inlet.takeSink();
        sink.open(delivery, null, 1);
        assertThat(parser.parse(new Chunk().restart(1).wrap(body, 0, body.length, true), sink))
                .isTrue();
        sink.flush();
        inlet.giveBack(sink);
        inlet.giveBack(parser);
    }

    private static void awaitCollected(Reference<?> reference) {
        Waits.await().pollInterval(Duration.ofMillis(1)).until(() -> {
            System.gc();
            return reference.get() == null;
        });
    }
}
