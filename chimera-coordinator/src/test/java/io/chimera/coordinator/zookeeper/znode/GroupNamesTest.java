package io.chimera.coordinator.zookeeper.znode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.StreamGroups;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class GroupNamesTest {
    private static final JournalGroup EAST = new JournalGroup("east");

    @Test
    void theDefaultGroupHasNoName() throws MalformedZnodeException {
        assertThat(GroupNames.of(JournalGroup.DEFAULT)).isNull();
        assertThat(GroupNames.group(null)).isEqualTo(JournalGroup.DEFAULT);
        assertThat(GroupNames.of(StreamGroups.NONE)).isNull();
        assertThat(GroupNames.streams(null)).isEqualTo(StreamGroups.NONE);
    }

    @Test
    void readsTheWrittenNames() throws MalformedZnodeException {
        StreamGroups streams = StreamGroups.copyOf(Map.of(-1L, EAST, 3L, EAST.lane(2)));

        assertThat(GroupNames.group(GroupNames.of(EAST.lane(2)))).isEqualTo(EAST.lane(2));
        assertThat(GroupNames.streams(GroupNames.of(streams))).isEqualTo(streams);
    }

    @Test
    void refusesANameThatNoGroupHas() {
        assertThatThrownBy(() -> GroupNames.group("No Group"))
                .isInstanceOf(MalformedZnodeException.class)
                .hasMessageContaining("group");
        assertThatThrownBy(() -> GroupNames.streams(Map.of(new HexName(1), "east.99.1")))
                .isInstanceOf(MalformedZnodeException.class);
    }
}
