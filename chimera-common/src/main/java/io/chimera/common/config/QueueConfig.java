package io.chimera.common.config;

import io.chimera.common.channel.Endpoint;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.config.binding.ByteSize;
import io.chimera.common.config.binding.CoreLists;
import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import io.chimera.common.config.binding.Formerly;
import io.chimera.common.config.binding.LaneCount;
import io.chimera.common.config.binding.Requirements;
import java.util.List;

/** Queue node, from its inputs to the processors. */
public record QueueConfig(
        @Doc("Listen address for other queue nodes, which copy the journal, host:port.") @Default("127.0.0.1:9601")
        Endpoint address,

        @Doc("Journal group of the node, 1 to 32 of a-z, 0-9, _ and -. The nodes of a group journal each other's"
                + " points. Groups share coordinators and processors only, so the rate grows with their number.")
        @Default("main")
        String group,

        @Doc("Number of lanes, 1 to 64. A lane is a complete queue node in the process of the node, with its own"
                + " threads, its own journal, its own port (address plus the number of the lane) and an equal share of"
                + " the limits. All queue nodes of a journal group have the same number. auto: a quarter of the"
                + " processors of the JVM, at least 1, at most 16, and at most one for each 128MiB of its heap and of"
                + " its direct memory.")
        @Default("1")
        LaneCount lanes,

        @Doc("Cores for the threads of the lanes: lists like 0-3 or 0,2,8-11, one for all lanes or one for each lane."
                + " Empty: any core.")
        @Default
        List<String> cpus,

        @Doc("Slots of 768 KiB between inputs and journal, a power of two; 2 to 4096.")
        @Default("64") // 64 x 768 KiB = 48 MiB
        Integer ringSlots,

        @Doc("Number of journals that must store a point before its sender is acknowledged, limited by the size of"
                + " the group; 1 to 7. Every queue node journals the points of all queue nodes of its group.")
        @Formerly("copies")
        @Default("2")
        Integer acks,

        @Doc("Number of journals sufficient while queue nodes are dead. Below acks, acknowledged points may be on a"
                + " single disk. Default: acks, so senders wait instead.")
        @Formerly("min_copies")
        Integer minAcks,

        @Doc("The journal on disk.") @Default JournalConfig journal) {
    private static final int RING_SLOTS_MIN = 2;
    private static final int PORT_MAX = 65_535;

    /** Checks the values. */
    public QueueConfig {
        int least = Math.max(1, lanes.fixed());
        String each = least == 1 ? "" : " for " + least + " lanes";
        minAcks = minAcks == null ? acks : minAcks;
        cpus = List.copyOf(cpus);
        new Requirements()
                .that(
                        CoreLists.areValid(cpus) && (lanes.isAuto() || CoreLists.fit(cpus, least)),
                        "cpus",
                        cpus,
                        (cpus.size() > 1 && !lanes.isAuto() ? "1 or " + least + " lists" : "lists")
                                + " of cores from 0 to " + CoreLists.CORE_MAX
                                + ", like 0-3 or 0,2,8-11; one for all lanes or one for each lane")
                .that(
                        JournalGroup.isName(group),
                        "group",
                        group,
                        "1 to " + JournalGroup.LENGTH_MAX + " of a-z, 0-9, _ and -")
                .that(
                        ringSlots >= least * RING_SLOTS_MIN && ringSlots <= 4096 && Integer.bitCount(ringSlots) == 1,
                        "ring_slots",
                        ringSlots,
                        "a power of two, " + least * RING_SLOTS_MIN + " to 4096" + each)
                .that(
                        journal.maxBytes().bytes() >= least * JournalConfig.BYTES_MIN.bytes(),
                        "journal.max_bytes",
                        journal.maxBytes(),
                        new ByteSize(least * JournalConfig.BYTES_MIN.bytes()) + " or more" + each)
                .that(
                        address.port() == 0 || address.port() + least - 1 <= PORT_MAX,
                        "address",
                        address,
                        "a port below " + (PORT_MAX + 2 - least) + each)
                .between("acks", acks, 1, 7)
                .between("min_acks", minAcks, 1, Math.max(1, acks))
                .check();
    }

    /** Journal group of the node. */
    public JournalGroup journalGroup() {
        return new JournalGroup(group);
    }

    /**
     * Returns the number of lanes in a JVM. A number that follows from the JVM leaves each lane the minimum of every
     * limit.
     */
    public int lanesIn(JvmLimits jvm) {
        int wanted = lanes.in(jvm.processors(), Math.min(jvm.heapBytes(), jvm.directBytes()));
        if (!lanes.isAuto()) {
            return wanted;
        }
        int ports = address.port() == 0 ? wanted : PORT_MAX + 1 - address.port();
        long byDisk = journal.maxBytes().bytes() / JournalConfig.BYTES_MIN.bytes();
        return (int) Math.min(Math.min(wanted, ports), Math.min(byDisk, ringSlots / RING_SLOTS_MIN));
    }

    /** Returns the listen address of a lane: lane i of a fixed port p listens on p + i. */
    public Endpoint address(int lane) {
        return address.port() == 0 ? address : new Endpoint(address.host(), address.port() + lane);
    }
}
