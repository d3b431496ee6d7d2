package io.chimera.common.config;

import io.chimera.common.channel.Endpoint;
import io.chimera.common.config.binding.ByteSize;
import io.chimera.common.config.binding.CoreLists;
import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import io.chimera.common.config.binding.LaneCount;
import io.chimera.common.config.binding.ProcessorWeight;
import io.chimera.common.config.binding.Requirements;
import java.util.List;

/** Processor, from the queue nodes to the stores. */
public record ProcessorConfig(
        @Doc("Listen address for queue nodes, host:port.") @Default("127.0.0.1:9602")
        Endpoint address,

        @Doc("Number of lanes, 1 to 64. A lane is a complete processor in the process of the node, with its own"
                + " threads, its own port (address plus the number of the lane) and an equal share of the limits."
                + " auto: a quarter of the processors of the JVM, at least 1, at most 16, and at most one for each"
                + " 128MiB of its heap and of its direct memory.")
        @Default("auto")
        LaneCount lanes,

        @Doc("Cores for the threads of the lanes: lists like 0-3 or 0,2,8-11, one for all lanes or one for each lane."
                + " Empty: any core.")
        @Default
        List<String> cpus,

        @Doc("Weight in the distribution of shards, 1 to 100: a processor with weight 2 gets twice the shards of one"
                + " with weight 1. A lane has the weight of its node. auto: the conductor measures the time of each"
                + " lane per point.")
        @Default("1")
        ProcessorWeight weight,

        @Doc("Memory of staged groups: on_heap (faster), or off_heap (without garbage collection).") @Default("on_heap")
        Warehouse warehouse,

        @Doc("Maximum number of staged groups; 8 to 100_000_000.") @Default("1_000_000")
        Integer maxGroups,

        @Doc("Maximum memory of staged groups and entries of compositions; 16MiB to three quarters of the JVM's limit"
                + " for this kind of memory. Absent: three quarters, at most 1GiB.")
        ByteSize maxBytes,

        @Doc("Slots of 768 KiB between the channel and the extractor, a power of two; 2 to 4096.")
        @Default("32") // 32 x 768 KiB = 24 MiB
        Integer ringSlots) {
    /** Minimum memory for staging, per lane. */
    public static final ByteSize BYTES_MIN = ByteSize.ofMebibytes(16);

    private static final int GROUPS_MIN = 8;
    private static final int RING_SLOTS_MIN = 2;
    private static final int PORT_MAX = 65_535;

    /** Memory of staged groups. */
    public enum Warehouse {
        /** Java objects. */
        ON_HEAP,
        /** Bytes outside the heap. */
        OFF_HEAP
    }

    /** Checks the values. */
    public ProcessorConfig {
        int least = Math.max(1, lanes.fixed());
        String each = least == 1 ? "" : " for " + least + " lanes";
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
                        maxGroups >= least * GROUPS_MIN && maxGroups <= 100_000_000,
                        "max_groups",
                        maxGroups,
                        least * GROUPS_MIN + " to 100000000" + each)
                .that(
                        maxBytes == null
                                || (maxBytes.bytes() >= least * BYTES_MIN.bytes() && maxBytes.bytes() <= 1L << 50),
                        "max_bytes",
                        maxBytes,
                        new ByteSize(least * BYTES_MIN.bytes()) + " to 1024TiB" + each)
                .that(
                        ringSlots >= least * RING_SLOTS_MIN && ringSlots <= 4096 && Integer.bitCount(ringSlots) == 1,
                        "ring_slots",
                        ringSlots,
                        "a power of two, " + least * RING_SLOTS_MIN + " to 4096" + each)
                .that(
                        address.port() == 0 || address.port() + least - 1 <= PORT_MAX,
                        "address",
                        address,
                        "a port below " + (PORT_MAX + 2 - least) + each)
                .check();
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
        long bySize = maxBytes == null ? wanted : maxBytes.bytes() / BYTES_MIN.bytes();
        int byCount = Math.min(ringSlots / RING_SLOTS_MIN, maxGroups / GROUPS_MIN);
        return (int) Math.min(Math.min(wanted, ports), Math.min(bySize, byCount));
    }

    /** Returns the listen address of a lane: lane i of a fixed port p listens on p + i. */
    public Endpoint address(int lane) {
        return address.port() == 0 ? address : new Endpoint(address.host(), address.port() + lane);
    }
}
