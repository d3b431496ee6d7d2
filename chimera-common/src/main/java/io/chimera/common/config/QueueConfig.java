package io.chimera.common.config;

import io.chimera.common.channel.Endpoint;

/** Queue node, from its inputs to the processors. */
public record QueueConfig(
        @Doc("Address where other queue nodes connect to copy the journal, host:port.")
        Endpoint address,

        @Doc("Slots of 768 KiB between inputs and journal, a power of two; 2 to 4096.")
        Integer ringSlots,

        @Doc(
                "Journals that must hold a point before its sender gets success, at most as many as the group has queue nodes;"
                        + " 1 to 7. Every queue node journals the points of all.")
        @Formerly("copies")
        Integer acks,

        @Doc("Journals that are enough while queue nodes are missing. Below acks, a single disk may hold points that"
                + " senders believe safe. Default: acks, so that senders wait instead.")
        @Formerly("min_copies")
        Integer minAcks,

        @Doc("The journal on disk.") JournalConfig journal) {
    /** Sets the defaults. */
    public QueueConfig {
        address = address == null ? new Endpoint("127.0.0.1", 9601) : address;
        ringSlots = ringSlots == null ? 64 : ringSlots; // 64 x 768 KiB = 48 MiB
        acks = acks == null ? 2 : acks;
        minAcks = minAcks == null ? acks : minAcks;
        journal = journal == null ? new JournalConfig(null, null, null, null, null, null, null, null) : journal;
        new Requirements()
                .that(
                        ringSlots >= 2 && ringSlots <= 4096 && Integer.bitCount(ringSlots) == 1,
                        "ring_slots",
                        ringSlots,
                        "a power of two, 2 to 4096")
                .between("acks", acks, 1, 7)
                .between("min_acks", minAcks, 1, Math.max(1, acks))
                .check();
    }
}
