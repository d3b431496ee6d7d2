package io.chimera.common.config;

import io.chimera.common.channel.Endpoint;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import io.chimera.common.config.binding.Formerly;
import io.chimera.common.config.binding.Requirements;

/** Queue node, from its inputs to the processors. */
public record QueueConfig(
        @Doc("Listen address for other queue nodes, which copy the journal, host:port.") @Default("127.0.0.1:9601")
        Endpoint address,

        @Doc("Journal group of the node, 1 to 32 of a-z, 0-9, _ and -. The nodes of a group journal each other's"
                + " points. Groups share coordinators and processors only, so the rate grows with their number.")
        @Default("main")
        String group,

        @Doc("Slots of 768 KiB between inputs and journal, a power of two; 2 to 4096.")
        @Default("64") // 64 x 768 KiB = 48 MiB
        Integer ringSlots,

        @Doc("Number of journals that must store a point before its sender is acknowledged, limited by the size of"
                + " the group; 1 to 7. Every queue node journals the points of all queue nodes of its group.")
        @Formerly("copies")
        @Default("2")
        Integer acks,

        @Doc("Number of journals sufficient while queue nodes are missing. Below acks, acknowledged points may be on a"
                + " single disk. Default: acks, so senders wait instead.")
        @Formerly("min_copies")
        Integer minAcks,

        @Doc("The journal on disk.") @Default JournalConfig journal) {
    /** Checks the values. */
    public QueueConfig {
        minAcks = minAcks == null ? acks : minAcks;
        new Requirements()
                .that(
                        JournalGroup.isName(group),
                        "group",
                        group,
                        "1 to " + JournalGroup.LENGTH_MAX + " of a-z, 0-9, _ and -")
                .that(
                        ringSlots >= 2 && ringSlots <= 4096 && Integer.bitCount(ringSlots) == 1,
                        "ring_slots",
                        ringSlots,
                        "a power of two, 2 to 4096")
                .between("acks", acks, 1, 7)
                .between("min_acks", minAcks, 1, Math.max(1, acks))
                .check();
    }

    /** Journal group of the node. */
    public JournalGroup journalGroup() {
        return new JournalGroup(group);
    }
}
