package io.chimera.common.identity;

/** Ids of the lanes of a node as members of the cluster: lane 0 has the id of the node, lane i {@code <id>.<i>}. */
public final class LaneId {
    private LaneId() {}

    /** Returns the id of a lane. */
    public static String of(String node, int lane) {
        return lane == 0 ? node : node + "." + lane;
    }

    /** Returns whether an id is the id of a lane of a node. */
    public static boolean isOf(String node, String member) {
        return member.equals(node)
                || (member.startsWith(node + ".")
                        && member.substring(node.length() + 1).matches("[1-9]\\d?"));
    }
}
