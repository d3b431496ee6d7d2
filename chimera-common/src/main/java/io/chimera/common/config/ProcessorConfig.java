package io.chimera.common.config;

import io.chimera.common.channel.Endpoint;
import io.chimera.common.config.binding.ByteSize;
import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import io.chimera.common.config.binding.Requirements;

/** Processor, from the queue nodes to the stores. */
public record ProcessorConfig(
        @Doc("Listen address for queue nodes, host:port.") @Default("127.0.0.1:9602")
        Endpoint address,

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
    /** Memory of staged groups. */
    public enum Warehouse {
        /** Java objects. */
        ON_HEAP,
        /** Bytes outside the heap. */
        OFF_HEAP
    }

    /** Checks the values. */
    public ProcessorConfig {
        new Requirements()
                .between("max_groups", maxGroups, 8, 100_000_000)
                .between(
                        "max_bytes",
                        maxBytes == null ? ByteSize.ofMebibytes(16) : maxBytes,
                        ByteSize.ofMebibytes(16),
                        new ByteSize(1L << 50))
                .that(
                        ringSlots >= 2 && ringSlots <= 4096 && Integer.bitCount(ringSlots) == 1,
                        "ring_slots",
                        ringSlots,
                        "a power of two, 2 to 4096")
                .check();
    }
}
