package io.chimera.common.config;

import io.chimera.common.config.binding.ByteSize;
import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import io.chimera.common.config.binding.Requirements;
import java.time.Duration;

/** Packet source and flow table of an input of type capture. */
public record CaptureConfig(
        @Doc("Source of packets: tpacket:eth0, libpcap:eth0, af_xdp:eth0@0 (its queue 0), netmap:p}1, or a file.")
        @Default
        String source,

        @Doc("Filter for packets, in pcap filter syntax; absent: all packets.") @Default
        String filter,

        @Doc("Maximum number of inspected bytes per packet; 64 to 262_144.")
        @Default("256") // room for all decoded headers
        Integer snapLength,

        @Doc("Size of the receive buffer; 64KiB to 1GiB.") @Default("32MiB") // a quarter of a second at 1 Gb/s
        ByteSize ring,

        @Doc("Whether packets for other hosts are captured, too.") @Default("true")
        Boolean promiscuous,

        @Doc("Whether the VLAN is part of the flow key.") @Default("true")
        Boolean byVlan,

        @Doc("Whether packets in tunnels belong to the flow of the innermost packet instead of the tunnel's flow.")
        @Default("false")
        Boolean inside,

        @Doc("Maximum number of concurrent flows, 160 bytes each; at the limit, the longest idle flow ends. 1 to"
                + " 16_777_215.")
        @Default("262_144") // x 160 B = 40 MiB
        Integer flowsMax,

        @Doc("Idle time after which a flow ends; 1s to 1h.") @Default("15s")
        Duration idle,

        @Doc("Maximum interval between the points of an active flow; 1s to 1d.") @Default("60s")
        Duration active,

        @Doc("Whether FIN of both sides, or RST, ends a TCP flow.") @Default("true")
        Boolean tcpEnd) {
    private static final int FLOWS_MAX = (1 << 24) - 1;

    /** Checks the values. */
    public CaptureConfig {
        new Requirements()
                .between("snap_length", snapLength, 64, 262_144)
                .between("ring", ring, new ByteSize(64 << 10), ByteSize.ofGibibytes(1))
                .between("flows_max", flowsMax, 1, FLOWS_MAX)
                .between("idle", idle, Duration.ofSeconds(1), Duration.ofHours(1))
                .between("active", active, Duration.ofSeconds(1), Duration.ofDays(1))
                .check();
    }
}
