package io.chimera.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.channel.Endpoint;
import io.chimera.common.config.InputConfig;
import io.chimera.common.config.LimitsConfig;
import io.chimera.common.config.QueueConfig;
import io.chimera.common.config.binding.ByteSize;
import io.chimera.common.config.binding.Sections;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class QueueLimitsTest {
    @Test
    void aSingleLaneHasTheValuesOfTheNode() {
        QueueConfig queue = Sections.of(QueueConfig.class);

        assertThat(QueueLimits.of(queue, 1, 0)).isSameAs(queue);
    }

    @Test
    void lanesShareSizesAndKeepTheFreeSpace() {
        QueueConfig queue = Sections.of(QueueConfig.class, "address", new Endpoint("h", 9_601), "group", "east");

        QueueConfig lane = QueueLimits.of(queue, 3, 2);

        assertThat(lane.address()).hasToString("h:9603");
        assertThat(lane.group()).isEqualTo("east");
        assertThat(lane.ringSlots()).isEqualTo(16);
        assertThat(lane.journal().maxBytes().bytes())
                .isEqualTo(queue.journal().maxBytes().bytes() / 3);
        assertThat(lane.journal().reserve()).isEqualTo(queue.journal().reserve());
    }

    @Test
    void aLaneHasRoomForTwoClientsAndCountsAllSeries() {
        LimitsConfig limits = Sections.of(
                LimitsConfig.class, "body_max", ByteSize.ofMebibytes(20), "in_flight_max", ByteSize.ofMebibytes(64));
        InputConfig input = Sections.of(InputConfig.class, "http", new Endpoint("h", 1), "limits", limits);

        LimitsConfig lane =
                QueueLimits.of(new TreeMap<>(Map.of("i", input)), 8).get("i").limits();

        assertThat(lane.inFlightMax()).isEqualTo(ByteSize.ofMebibytes(40));
        assertThat(lane.connectionsMax()).isEqualTo(125);
        assertThat(lane.series()).isEqualTo(limits.series());
    }
}
