package io.chimera.queue.parser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.chimera.api.model.DataPoint;
import io.chimera.api.spi.Chunk;
import io.chimera.common.config.GraphiteConfig;
import io.chimera.common.metrics.AllocatedBytes;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class GraphiteLineParserTest {
    private static GraphiteLineParser with(String... templates) {
        return new GraphiteLineParser(new GraphiteConfig(List.of(templates)).parsedTemplates());
    }

    private static DataPoint point(GraphiteLineParser parser, String line) {
        RecordingSink sink = RecordingSink.of(parser, line);
        assertThat(sink.rejects).isEmpty();
        assertThat(sink.points).hasSize(1);
        return sink.points.get(0);
    }

    private static String series(String path, String... templates) {
        DataPoint point = point(with(templates), path + " 1 1");
        return point.key().metric() + point.key().tags().asMap();
    }

    @Test
    void readsAllPartsOfAPoint() {
        DataPoint point = point(with(), "disk.used;rack=a1;datacenter=dc1=b 42 1700000000\n");

        assertThat(point.key().metric()).isEqualTo("disk.used");
        assertThat(point.key().tags().asMap()).containsExactly(entry("datacenter", "dc1=b"), entry("rack", "a1"));
        assertThat(point.fields()).containsExactly(entry("value", 42.0));
        assertThat(point.timeNs()).isEqualTo(1_700_000_000_000_000_000L);
    }

    @ParameterizedTest
    @CsvSource({"m 1", "m 1 -1", "m 1 -1.0"})
    void takesTheTimeOfArrivalWithoutATime(String line) {
        assertThat(point(with(), line).timeNs()).isEqualTo(RecordingSink.ARRIVAL_NS);
    }

    @Test
    void acceptsDecimalPlacesAndExponents() {
        DataPoint point = point(with(), "m +1.5e3 1700000000.25");

        assertThat(point.fields().get("value")).isEqualTo(1500.0);
        assertThat(point.timeNs()).isEqualTo(1_700_000_000_250_000_000L);
    }

    @Test
    void theLongestFilterSplitsThePath() {
        String[] templates = {
            "metric*", "servers.* .host.metric* dc=eu", "servers.web*.disk .host..disk.metric", "a.* tag..metric.metric"
        };

        assertThat(series("cpu.load", templates)).isEqualTo("cpu.load{}");
        assertThat(series("servers.db1.cpu.load", templates)).isEqualTo("cpu.load{dc=eu, host=db1}");
        assertThat(series("servers.web1.disk.sda.free", templates)).isEqualTo("free{disk=sda, host=web1}");
        assertThat(series("servers.web1.disk.sda.free.bytes", templates))
                .isEqualTo("disk.sda.free.bytes{dc=eu, host=web1}");
        assertThat(series("a.b.c.d", templates)).isEqualTo("c.d{tag=a}");
        assertThat(series("servers.db1.cpu;x=y", templates)).isEqualTo("servers.db1.cpu{x=y}");
    }

    @Test
    void joinsNamesOfTheMetricThatAreApart() {
        assertThat(series("a.b.c.d.e", "metric.host.metric.zone.metric")).isEqualTo("a.c.e{host=b, zone=d}");
        assertThat(series("a..c", "metric*")).isEqualTo("a.c{}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "m | missing value",
                "m x | invalid value: a number is expected",
                "m 1 x | invalid time: a number of seconds or milliseconds is expected",
                "m 1 -2 | time outside range 1970 to 2262",
                "m 1 99999999999 | time out of range",
                "m nan 1 | value is NaN or infinite",
                "m -Inf 1 | value is NaN or infinite",
                "m 1e999 1 | value is NaN or infinite",
                "m 1 1 1 | line end expected after the timestamp",
                ";a=b 1 1 | missing metric",
                "m;a 1 1 | a tag must be in the format name=value",
                "m; 1 1 | a tag must be in the format name=value",
                "m;=b 1 1 | tag name may not be empty",
                "m;a= 1 1 | tag value may not be empty",
                "m;a=b;a=c 1 1 | duplicate tag",
                "servers.db1 1 1 | the template leaves no metric of the path",
            })
    void namesTheDefect(String line, String reason) {
        RecordingSink sink = RecordingSink.of(with("servers.* .host.metric*"), "m 1 1\n" + line + "\nm 2 2");

        assertThat(sink.points).hasSize(2);
        assertThat(sink.rejects).containsExactly(new RecordingSink.Reject(2, reason, line));
    }

    @Test
    void boundsLinesNamesAndTags() {
        RecordingSink sink = new RecordingSink();
        ChunkFeeder feeder = new ChunkFeeder(new Random(1));
        byte[] endless = ("a.".repeat(1 << 18) + " 1 1\nm 1 1\n").getBytes(StandardCharsets.US_ASCII);
        feeder.feed(with("metric*"), sink, endless, 3000, false);
        assertThat(sink.points).hasSize(1);
        assertThat(sink.rejects).hasSize(1);
        assertThat(feeder.heldMax).isLessThan(70_000);
        String deep = "a.".repeat(1_000) + "b";
        assertThat(series(deep, "host.metric*")).isEqualTo(deep + "{}");
        StringBuilder tags = new StringBuilder("m");
        for (int i = 0; i < 1_000; i++) {
            tags.append(";t").append(i).append("=v");
        }
        assertThat(RecordingSink.of(with(), tags + " 1 1").rejects)
                .singleElement()
                .satisfies(reject -> assertThat(reject.reason()).isEqualTo("more than 64 tags"));
    }

    @Test
    void readsRandomLinesAsASimpleReaderDoes() {
        Random random = new Random(8);
        String[] pieces = {
            "servers",
            ".web1",
            ".db",
            ".",
            "cpu",
            "a",
            ";t=v",
            ";u=",
            "=",
            " ",
            " ",
            " 1",
            " 2.5",
            " 1700000000",
            " -1",
            "\n",
            "\n",
            "\r\n",
            "\t",
            "nan",
            "ä",
            "\nservers.web1.x.y.z 1 1\n",
            "\ncpu.load 5\n",
            "\nm;a=b 1 2\n",
            "-1.5e2"
        };
        for (int round = 0; round < 20_000; round++) {
            GraphiteOracle.check(RandomPieces.text(random, pieces));
        }
    }

    @Test
    void allocatesNothing() {
        byte[] text = "servers.web1.cpu 1.5 1700000000\nm;host=a;zone=b 42 1700000000\nbad\nx nan 1\na.b.c 1\n"
                .repeat(25)
                .getBytes(StandardCharsets.US_ASCII);
        Chunk chunk = new Chunk();
        CountingSink sink = new CountingSink();
        GraphiteLineParser parser = with("servers.* .host.metric* dc=eu", "a.* metric.host.metric");

        assertThat(AllocatedBytes.of(() -> {
                    chunk.restart(1).wrap(text, 0, text.length, true);
                    if (!parser.parse(chunk, sink)) {
                        throw new AssertionError("There is room.");
                    }
                }))
                .isZero();
        assertThat(sink.rejects).isPositive();
    }
}
