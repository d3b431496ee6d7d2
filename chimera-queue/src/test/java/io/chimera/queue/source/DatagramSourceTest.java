package io.chimera.queue.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.channel.WireProtocol;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.queue.parser.InfluxLineParser;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DatagramSourceTest {
    @TempDir
    Path folder;

    private SourceRig rig;
    private DatagramSource source;

    @BeforeEach
    void setUp() {
        rig = new SourceRig(folder, 4, 4096);
        source = new DatagramSource(rig.inlet(InfluxLineParser::new), 1);
    }

    private void receive(String text) {
        byte[] bytes = ("##" + text).getBytes(StandardCharsets.UTF_8);
        source.onDatagram(bytes, 2, bytes.length - 2, new InetSocketAddress(InetAddress.getLoopbackAddress(), 5));
    }

    @Test
    void drawsDatagramsTogetherUntilNothingMoreLiesReady() {
        receive("m f=1");
        receive("m f=2\nm f=3\n");
        assertThat(rig.takeSlots()).isZero();

        source.onReadComplete();

        assertThat(rig.takeSlots()).isEqualTo(1);
        assertThat(rig.values("f")).containsExactly(1.0, 2.0, 3.0);
        assertThat(rig.count(QueueCounter.SOURCE_DATAGRAMS)).isEqualTo(2);
        assertThat(rig.count(QueueCounter.SOURCE_BYTES_RECEIVED)).isEqualTo(17);
    }

    @Test
    void datagramsDoNotReachIntoEachOther() {
        receive("m f=\"open");
        receive("m f=1");
        receive("x".repeat(65_000));
        receive("m f=2");
        source.onReadComplete();
        rig.takeSlots();

        assertThat(rig.values("f")).containsExactly(1.0, 2.0);
        assertThat(rig.count(QueueCounter.PARSER_POINTS_REJECTED)).isEqualTo(2);
    }

    @Test
    void rejectsADatagramOfCollectdAsAWhole() {
        source = new DatagramSource(rig.inlet(InfluxLineParser::new).speaking(WireProtocol.INFLUX), 1);
        receive("\0\0\0\u000elocalhost\0\0\u0008\0\u000c\n\nabc=1\nm f=1\n");
        receive("m f=2");
        source.onReadComplete();
        rig.takeSlots();
        rig.deadLetters.doWork();

        assertThat(rig.values("f")).containsExactly(2.0);
        assertThat(rig.count(QueueCounter.PARSER_POINTS_REJECTED)).isEqualTo(1);
        assertThat(rig.deadLetters.warnings()).singleElement().satisfies(warning -> assertThat(warning)
                .contains("collectd's binary network protocol", "data_format \"collectd\"", ":5. "));
    }

    @Test
    void dropsAndCountsWhenTheRingIsFull() {
        rig.fillRing();
        receive("m f=1");
        receive("m f=2");
        source.onReadComplete();
        assertThat(rig.count(QueueCounter.SOURCE_DATAGRAMS_DROPPED)).isEqualTo(2);

        rig.takeSlots();
        receive("m f=3");
        source.onReadComplete();
        rig.takeSlots();

        assertThat(rig.values("f")).containsExactly(3.0);
    }

    @Test
    void timesPointsByTheirArrival() {
        receive("m f=1");
        source.onReadComplete();
        rig.clock.advanceMs(1);
        receive("m f=2");
        source.onReadComplete();
        rig.takeSlots();

        assertThat(rig.points.get(1).timeNs() - rig.points.get(0).timeNs()).isEqualTo(1_000_000);
    }
}
