package io.chimera.queue.parser;

import io.chimera.api.kit.ParserContract;
import io.chimera.api.spi.NoSettings;
import io.chimera.api.spi.Parser;
import io.chimera.api.spi.ParserType;
import io.chimera.api.spi.PluginContext;
import io.chimera.common.config.StatsdConfig;
import io.chimera.common.config.SyslogConfig;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.queue.parser.remotewrite.RemoteWrite1Parser;
import io.chimera.queue.parser.remotewrite.RemoteWrite2Parser;
import io.chimera.queue.parser.remotewrite.RemoteWriteRules;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Nested;

/** Runs the contract tests of plugin parsers on the built-in parsers. */
final class BuiltInParsersKitTest {
    /** Gives a built-in parser a name, as required by the contract. */
    private record Named(String name, Supplier<Parser> maker) implements ParserType {
        @Override
        public Parser create(PluginContext context) {
            return maker.get();
        }
    }

    private abstract static class BuiltIn extends ParserContract {
        private final Named type;
        private final String good;
        private final String withABadPoint;

        BuiltIn(String name, Supplier<Parser> maker, String good, String withABadPoint) {
            type = new Named(name, maker);
            this.good = good;
            this.withABadPoint = withABadPoint;
        }

        @Override
        protected ParserType type() {
            return type;
        }

        @Override
        protected Record settings() {
            return new NoSettings();
        }

        @Override
        protected String good() {
            return good;
        }

        @Override
        protected String withABadPoint() {
            return withABadPoint;
        }
    }

    @Nested
    final class GraphiteLine extends BuiltIn {
        GraphiteLine() {
            super("graphite", () -> new GraphiteLineParser(List.of()), """
                    servers.a.load 1.5 1700000000
                    disk.used;host=a;größe=b 5\r
                    m -2e3 1700000000.25
                    """, "m 1 1\nm one 1\nm 3 1\n");
        }
    }

    @Nested
    final class GraphitePickle extends BuiltIn {
        GraphitePickle() {
            super(
                    "graphite_pickle",
                    () -> new GraphitePickleParser(List.of()),
                    message("(l(S'a.b'\n(I5\nF1.5\ntta(S'c'\n(I6\nI2\ntta.") + message("(l(S'd'\n(I5\nI1\ntta."),
                    message("(l(S'a'\n(I5\nI1\ntta(S'b'\nI1\nta(S'c'\n(I5\nI2\ntta."));
        }

        private static String message(String pickle) {
            return "\0\0\0" + (char) pickle.length() + pickle;
        }
    }

    @Nested
    final class InfluxLine extends BuiltIn {
        InfluxLine() {
            super("influx", InfluxLineParser::new, """
                    cpu,host=a value=1.5 1000
                    # a comment
                    cpu,host=a\\ b value=2i,text="two\\"
                    lines" 2000\r
                    größe,host=b used=t
                    """, "cpu,host=a value=1\ncpu,host= value=2\ncpu,host=c value=3\n");
        }
    }

    @Nested
    final class KairosTelnet extends BuiltIn {
        KairosTelnet() {
            super(
                    "kairosdb",
                    KairosTelnetParser::new,
                    """
                    put cpu 1700000000 1.5 host=a
                    version
                    putm cpu 1700000000000 7 host=a "zone=z 1"\r
                    puts log 1700000000000 "it is full" host=b
                    """,
                    "put cpu 1700000000 1 host=a\nput cpu soon 2 host=a\nput cpu 1700000000 3 host=a\n");
        }
    }

    @Nested
    final class KairosJson extends BuiltIn {
        KairosJson() {
            super(
                    "kairosdb_json",
                    KairosJsonParser::new,
                    "[{\"name\":\"cpu\",\"datapoints\":[[1,2],[3,4.5]],\"tags\":{\"host\":\"a\"}},"
                            + "{\"tags\":{\"host\":\"gr\\u00f6\\\"\"},\"name\":\"b\",\"timestamp\":5,\"value\":\"text\"}]",
                    "[{\"name\":\"cpu\",\"datapoints\":[[1,2],[3]],\"tags\":{\"host\":\"a\"}},"
                            + "{\"name\":\"cpu\",\"timestamp\":5,\"value\":6,\"tags\":{\"host\":\"b\"}}]");
        }
    }

    private static final RemoteWriteRules RULES = new RemoteWriteRules(List.of("_total"), false);

    /** Returns a message without a byte above 127 as text. */
    private static String ascii(String... hex) {
        return new String(HexFormat.of().parseHex(String.join("", hex)), StandardCharsets.US_ASCII);
    }

    @Nested
    final class RemoteWrite1 extends BuiltIn {
        RemoteWrite1() {
            super(
                    "remote_write_1",
                    () -> new RemoteWrite1Parser(RULES, new Counters<>(QueueCounter.class)),
                    ascii(
                            "0a340a0e0a085f5f6e616d655f5f120275700a080a036a6f62120161120b0900000000000040401001120b0900000000",
                            "000000401002",
                            "0a220a130a085f5f6e616d655f5f1207785f746f74616c120b0900000000000040401003"),
                    ascii(
                            "0a1d0a0e0a085f5f6e616d655f5f12027570120b0900000000000040401001",
                            "0a170a080a036a6f62120161120b0900000000000040401001",
                            "0a1d0a0e0a085f5f6e616d655f5f12027570120b0900000000000000401003"));
        }
    }

    @Nested
    final class RemoteWrite2 extends BuiltIn {
        RemoteWrite2() {
            super(
                    "remote_write_2",
                    () -> new RemoteWrite2Parser(RULES, new Counters<>(QueueCounter.class)),
                    ascii(
                            "220022085f5f6e616d655f5f2202757022036a6f62220161",
                            "2a200a0401020304120b0900000000000040401001120b0900000000000000401002",
                            "2a110a020104120b0900000000000000401003"),
                    ascii(
                            "220022085f5f6e616d655f5f22027570",
                            "2a110a020102120b0900000000000040401001",
                            "2a110a020109120b0900000000000040401001",
                            "2a110a020102120b0900000000000000401001"));
        }
    }

    @Nested
    final class OpenTsdbTelnet extends BuiltIn {
        OpenTsdbTelnet() {
            super(
                    "opentsdb",
                    OpenTsdbTelnetParser::new,
                    """
                    put cpu 1700000000 1.5 host=a
                    version
                    putm cpu 1700000000000 7 host=a zone=z\r
                    put größe 1700000000.25 7 host=a
                    """,
                    "put cpu 1700000000 1 host=a\nput cpu soon 2 host=a\nput cpu 1700000000 3 host=a\n");
        }
    }

    @Nested
    final class OpenTsdbJson extends BuiltIn {
        OpenTsdbJson() {
            super(
                    "opentsdb_json",
                    OpenTsdbJsonParser::new,
                    "[{\"metric\":\"cpu\",\"timestamp\":1700000000,\"value\":1.5,\"tags\":{\"host\":\"gr\\u00f6\"}},"
                            + "{\"tags\":{\"host\":\"ä\"},\"value\":\"7\","
                            + "\"timestamp\":1700000000000,\"metric\":\"b\"}]",
                    "[{\"metric\":\"cpu\",\"timestamp\":1,\"value\":1},{\"metric\":\"cpu\",\"timestamp\":1},"
                            + "{\"metric\":\"cpu\",\"timestamp\":1,\"value\":3}]");
        }
    }

    @Nested
    final class Statsd extends BuiltIn {
        Statsd() {
            super(
                    "statsd",
                    () -> new StatsdParser(
                            new StatsdConfig(StatsdConfig.RelativeGauges.REJECT), new Counters<>(QueueCounter.class)),
                    """
                    page.views:1|c|@0.1
                    time:1:2.5:3|ms|#host:a,größe:b|c:ci-1\r
                    users:anna|s|T1700000000
                    """,
                    "a:1|c\na:x|c\na:3|g\n");
        }
    }

    @Nested
    final class Syslog extends BuiltIn {
        Syslog() {
            super(
                    "syslog",
                    () -> new SyslogParser(new SyslogConfig("UTC"), true),
                    """
                    <34>1 2003-10-11T22:14:15.003Z host su - ID47 - 'su root' failed
                    <13>1 - größe app 7 - [x@1 a="b \\" c"] text\r
                    <34>Oct 11 22:14:15 host su[3]: text
                    28 <34>1 - h a p m -\s
                    two lines<0>x
                    """,
                    "<1>1 - h a p m - a\n<1>1 - h\n<1>1 - h a p m - b\n");
        }
    }

    @Nested
    final class Tweets extends BuiltIn {
        private static final String PLAIN = "{\"text\":\"hi\",\"entities\":{\"hashtags\":[]}}\n";

        private static String tagged(String tags) {
            return "{\"timestamp_ms\":\"1409318650332\",\"text\":\"hi\",\"entities\":{\"hashtags\":[" + tags + "]}}\n";
        }

        Tweets() {
            super(
                    "tweets",
                    TweetParser::new,
                    tagged("{\"text\":\"goal\",\"indices\":[1,2]},{\"text\":\"na\\u00efve\"}")
                            + PLAIN
                            + tagged("{\"text\":\"one\"}"),
                    tagged("{\"text\":\"goal\"}") + "{\"entities\":{\"hashtags\":[{\"text\":\"cut\n"
                            + tagged("{\"text\":\"one\"}"));
        }
    }
}
