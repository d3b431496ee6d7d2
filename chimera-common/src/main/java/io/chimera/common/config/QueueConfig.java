package io.chimera.common.config;

import io.chimera.common.channel.Endpoint;

/** A queue node: from its inputs to the processors. */
public record QueueConfig(
        @Doc("Address where other queue nodes connect to copy the journal, host:port.")
        Endpoint address,

        @Doc("Slots of 768 KiB between inputs and journal, a power of two; 2 to 4096.")
        Integer ringSlots,

        @Doc(
                "Journals that hold a point before its sender gets success, as far as there are queue nodes; 1 to 7. Does not limit"
                        + " copying: every queue node journals the points of all.")
        Integer copies,

        @Doc("Journals that do while queue nodes are missing; below copies, a lone disk may hold what senders believe"
                + " safe. Default: copies, so that senders wait instead.")
        Integer minCopies,

        @Doc("The journal on disk.") JournalConfig journal) {
    /** Fills in the defaults. */
    public QueueConfig {
        address = address == null ? new Endpoint("127.0.0.1", 9601) : address;
        ringSlots = ringSlots == null ? 64 : ringSlots; // 64 x 768 KiB = 48 MiB
        copies = copies == null ? 2 : copies;
        minCopies = minCopies == null ? copies : minCopies;
        journal = journal == null ? new JournalConfig(null, null, null, null, null, null, null, null) : journal;
        new Requirements()
                .that(
                        ringSlots >= 2 && ringSlots <= 4096 && Integer.bitCount(ringSlots) == 1,
                        "ring_slots",
                        ringSlots,
                        "a power of two, 2 to 4096")
                .between("copies", copies, 1, 7)
                .between("min_copies", minCopies, 1, Math.max(1, copies))
                .check();
    }
}
