package io.chimera.flow.table;

import io.chimera.api.HotPath;
import io.chimera.flow.packet.PacketOutcome;
import io.chimera.flow.packet.PacketTuple;
import org.agrona.UnsafeApi;

/**
 * Annotates tuples with the hash of their flow key (FLOWID of Fais et al. 2021, section 5.1). Both directions of a flow
 * have the same hash. The key consists of addresses, ports, protocol, optionally VLANs, and the tunnel when inner
 * packets are decoded. Thread-safe for disjoint sets of tuples.
 */
public final class FlowId {
    /** Odd mixing constants without a pattern (fractions of the golden ratio and of roots of primes). */
    private static final long MIX_1 = 0x9E3779B97F4A7C15L;

    private static final long MIX_2 = 0xC2B2AE3D27D4EB4FL;
    private static final long MIX_3 = 0xD6E8FEB86659FD93L;

    private static final int IP = PacketOutcome.IP.code();

    private final long seed;
    private final boolean isByVlan;

    /**
     * Creates the operator.
     *
     * @param seed secret seed; without the seed an attacker cannot construct flows with colliding hashes
     * @param isByVlan whether VLANs belong to the key; if not, VLANs are cleared in the tuples
     */
    public FlowId(long seed, boolean isByVlan) {
        this.seed = seed;
        this.isByVlan = isByVlan;
    }

    /**
     * Annotates tuples; non-IP tuples get 0.
     *
     * @param tuples address of the first tuple
     * @param count number of consecutive tuples
     */
    @HotPath
    public void annotate(long tuples, int count) {
        long end = tuples + (long) count * PacketTuple.LENGTH;
        for (long tuple = tuples; tuple < end; tuple += PacketTuple.LENGTH) {
            boolean isIp = UnsafeApi.getByte(tuple + PacketTuple.OUTCOME) == IP;
            if (!isByVlan && isIp) {
                UnsafeApi.putShort(tuple + PacketTuple.VLAN, (short) 0);
                UnsafeApi.putShort(tuple + PacketTuple.CUSTOMER_VLAN, (short) 0);
            }
            UnsafeApi.putLong(tuple + PacketTuple.FLOW_ID, isIp ? hash(tuple) : 0);
        }
    }

    private long hash(long tuple) {
        long source = end(tuple + PacketTuple.SOURCE_ADDRESS, tuple + PacketTuple.SOURCE_PORT);
        long destination = end(tuple + PacketTuple.DESTINATION_ADDRESS, tuple + PacketTuple.DESTINATION_PORT);
        int kind = UnsafeApi.getInt(tuple + PacketTuple.PROTOCOL); // includes version and VLAN
        int tunnel = UnsafeApi.getInt(tuple + PacketTuple.TUNNEL_ID)
                + 31
                        * (UnsafeApi.getByte(tuple + PacketTuple.TUNNEL)
                                + (UnsafeApi.getShort(tuple + PacketTuple.CUSTOMER_VLAN) << 8));
        long rest = (((long) kind << 32) | (tunnel & 0xFFFF_FFFFL)) * MIX_3;
        return finish((source + destination) ^ rest); // a sum is symmetric in source and destination
    }

    private long end(long address, long port) {
        long high = (UnsafeApi.getLong(address) ^ seed) * MIX_1;
        long low = UnsafeApi.getLong(address + 8) + (UnsafeApi.getShort(port) & 0xFFFFL) * MIX_2;
        return finish(high ^ low);
    }

    /** Mixes all bits. */
    private static long finish(long value) {
        long mixed = (value ^ (value >>> 32)) * MIX_3;
        return ((mixed ^ (mixed >>> 29)) * MIX_2) ^ (mixed >>> 32);
    }
}
