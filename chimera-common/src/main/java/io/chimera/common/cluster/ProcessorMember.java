package io.chimera.common.cluster;

/**
 * A live processor as it announces itself.
 *
 * @param id the node's name in the configuration
 * @param session names this start of the process; never used again
 * @param address host:port where queue nodes connect
 * @param http host:port of health, metrics and taps
 * @param digest of the configuration that decides what a cycle contains; members of one cluster must agree on it
 * @param leaving true when the node asked to leave: it gets no shard of later cycles
 */
public record ProcessorMember(String id, long session, String address, String http, String digest, boolean leaving) {}
