package io.chimera.common.config;

import java.time.Duration;

/** Packet source and flow table of an input of type capture. */
public record CaptureConfig(
        @Doc("Where packets come from: tpacket:eth0, libpcap:eth0, af_xdp:eth0@0 (its queue 0), netmap:p}1, or a file.")
        String source,

        @Doc("Packets that are wanted, in the language of pcap filters; not there: all.")
        String filter,

        @Doc("Bytes of a packet that are looked at; 64 to 262_144.")
        Integer snapLength,

        @Doc("Bytes of packets that may wait to be received; 64KiB to 1GiB.")
        ByteSize ring,

        @Doc("Whether packets for other hosts are wanted too.")
        Boolean promiscuous,

        @Doc("Whether flows of different VLANs are different.")
        Boolean byVlan,

        @Doc("Whether packets in tunnels belong to the flow of the innermost packet, and not to that of the tunnel.")
        Boolean inside,

        @Doc("Flows at one time, of 160 bytes each; beyond, those that were idle longest end. 1 to 16_777_215.")
        Integer flowsMax,

        @Doc("A flow without a packet for so long has ended; 1s to 1h.")
        Duration idle,

        @Doc("A flow that goes on gives a point at least this often; 1s to 1d.")
        Duration active,

        @Doc("Whether FIN of both sides, and RST, end a flow of TCP.")
        Boolean tcpEnd,

        @Doc(
                "How the operators source, flow ID, statistics and sink hand packets on: direct, by a call on one thread, or queued, on"
                        + " a thread each.")
        BlockConfig.Edge edges,

        @Doc("Whether batches of packets go back from the sink to the source, or are allocated and freed each time.")
        Boolean pool) {
    private static final int FLOWS_MAX = (1 << 24) - 1;

    /** Sets the defaults. */
    public CaptureConfig {
        source = source == null ? "" : source;
        filter = filter == null ? "" : filter;
        snapLength = snapLength == null ? 256 : snapLength; // room for all decoded headers
        ring = ring == null ? ByteSize.ofMebibytes(32) : ring; // a quarter of a second at 1 Gb/s
        promiscuous = promiscuous == null || promiscuous;
        byVlan = byVlan == null || byVlan;
        inside = inside != null && inside;
        flowsMax = flowsMax == null ? 262_144 : flowsMax; // x 160 B = 40 MiB
        idle = idle == null ? Duration.ofSeconds(15) : idle;
        active = active == null ? Duration.ofSeconds(60) : active;
        tcpEnd = tcpEnd == null || tcpEnd;
        edges = edges == null ? BlockConfig.Edge.DIRECT : edges;
        pool = pool == null || pool;
        new Requirements()
                .between("snap_length", snapLength, 64, 262_144)
                .between("ring", ring, new ByteSize(64 << 10), ByteSize.ofGibibytes(1))
                .between("flows_max", flowsMax, 1, FLOWS_MAX)
                .between("idle", idle, Duration.ofSeconds(1), Duration.ofHours(1))
                .between("active", active, Duration.ofSeconds(1), Duration.ofDays(1))
                .check();
    }
}
