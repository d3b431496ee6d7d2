package io.chimera.queue.source.reject;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.chimera.common.agent.ManualClock;
import io.chimera.common.agent.Wakeup;
import io.chimera.common.channel.WireProtocol;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RejectLogTest {
    private static final InetSocketAddress SENDER = new InetSocketAddress(InetAddress.getLoopbackAddress(), 40_001);

    private final ManualClock clock = new ManualClock();
    private final List<String> lines = new ArrayList<>();
    private final RejectLog log = new RejectLog(clock, new Wakeup(), lines::add);
    private final InputRejects input = log.add("influx");

    RejectLogTest() {
        input.speaks(WireProtocol.INFLUX);
    }

    private void reject(String reason, String text) {
        byte[] bytes = text.getBytes(UTF_8);
        input.record(reason, bytes, 0, bytes.length, 7, SENDER);
    }

    @Test
    void logsTheFirstAtOnceAndThenOncePerMinuteWithTheCountSince() {
        reject("missing fields", "first");
        assertThat(log.doWork()).isEqualTo(1);
        for (int i = 0; i < 2_768; i++) {
            reject("missing fields", "line " + i);
            clock.advanceMs(15); // 42 s in total
            log.doWork();
        }
        assertThat(lines).hasSize(1);

        clock.advanceMs(20_000);
        log.doWork();

        assertThat(lines).hasSize(2);
        assertThat(lines.get(0))
                .contains(
                        "input=influx reason=\"missing fields\" count=1 sender=127.0.0.1:40001 line=7 text=\"first\"");
        assertThat(lines.get(1)).contains("count=2768").contains("text=\"line 0\"");
    }

    @Test
    void namesOneRemedyForAClientWithoutTls() {
        reject(WireProtocol.refusalWithoutTls(WireProtocol.HTTP), "GET / HTTP/1.1");
        log.doWork();

        assertThat(lines).singleElement().asString().contains("https").doesNotContain("Send HTTP/1.1");
    }

    @Test
    void logsEachReasonAndInputForItself() {
        InputRejects other = log.add("other");
        reject("missing fields", "a");
        reject("missing metric", "b");
        other.record("missing metric", "POST /x", SENDER);

        assertThat(log.doWork()).isEqualTo(3);
        assertThat(lines).anyMatch(line -> line.contains("input=other") && line.contains("POST /x"));
    }

    @Test
    void warnsUntilNothingWasRejectedForFiveMinutes() {
        assertThat(log.warnings()).isEmpty();
        for (int i = 0; i < 12; i++) {
            reject("missing fields", "collectd.web1.load 1.5 1700000000");
        }
        log.doWork();

        assertThat(log.warnings()).singleElement().satisfies(warning -> assertThat(warning)
                .contains(
                        "Input influx",
                        "12 times",
                        "missing fields",
                        "127.0.0.1:40001",
                        "Graphite plaintext",
                        "type graphite"));

        clock.advanceMs(299_000);
        assertThat(log.warnings()).hasSize(1);
        clock.advanceMs(2_000);
        assertThat(log.warnings()).isEmpty();
        log.doWork();
        assertThat(input.reasons()).isEmpty();

        reject("missing fields", "again");
        assertThat(log.doWork()).isEqualTo(1);
        assertThat(log.warnings().get(0)).contains("1 times");
    }

    @Test
    void namesTheProtocolOfTheSenderAndNeverItsOwn() {
        reject("missing fields", "[{\"values\":[0.1],\"host\":\"a\"}]");
        reject("invalid field value", "cpu,host=a usage=1.5");
        log.doWork();

        assertThat(lines.get(0) + lines.get(1)).contains("JSON").doesNotContain("InfluxDB");
    }

    @Test
    void reasonsThatVaryByElementAreOneReason() {
        for (int i = 0; i < 50; i++) {
            reject("metric[" + i + "](name=cpu" + i + ").datapoints[" + i + "].value may not be empty.", "[1]");
        }
        assertThat(log.doWork()).isEqualTo(1);
        assertThat(log.warnings()).singleElement().satisfies(warning -> assertThat(warning)
                .contains("50 times", "metric[n](…).datapoints[n].value may not be empty."));
    }

    @Test
    void reasonsAreBounded() {
        for (char c = 'a'; c < 'a' + 1_000; c++) {
            reject("defect " + c, "x");
        }
        assertThat(input.reasons()).hasSizeLessThanOrEqualTo(InputRejects.REASONS_MAX + 1);
        assertThat(log.warnings()).hasSize(9);
        assertThat(log.warnings().get(0)).contains("further reasons");
        assertThat(log.warnings().get(8)).contains("25 further reasons");
    }

    @Test
    void countingARejectedPointAllocatesNothing() {
        byte[] text = "bad".getBytes(UTF_8);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int i = 0; i < 20_000; i++) {
            input.record("missing fields", text, 0, text.length, 1, SENDER);
        }
        log.doWork();
        input.record("missing fields", text, 0, text.length, 1, SENDER); // sets the sample of the next minute

        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 10_000; i++) {
            input.record("missing fields", text, 0, text.length, 1, SENDER);
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(1_000);
    }
}
