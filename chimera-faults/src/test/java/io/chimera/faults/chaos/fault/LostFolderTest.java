package io.chimera.faults.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class LostFolderTest {
    @Test
    void readsTheNodesAndLanesInTheCommands() {
        assertThat(LostFolder.lostIn(
                        "lane 1: … If the folder is lost: chimera cluster remove --lost q1.1, which …; lane"
                                + " 2: chimera cluster remove --lost q1.2, which gives up"))
                .containsExactly("q1.1", "q1.2");
        assertThat(LostFolder.lostIn("chimera cluster remove --lost q1, which …"))
                .containsExactly("q1");
        assertThat(LostFolder.lostIn("waits for ZooKeeper")).isEmpty();
    }
}
