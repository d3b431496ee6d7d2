package io.chimera.common.identity;

import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Ids and folders of the lanes of a node. Lane 0 has the id and the folder of the node, lane i the id {@code <id>.<i>}
 * and the folder {@code lane-<i>} there.
 */
public final class LaneId {
    /** Highest number of a lane. */
    public static final int LANE_MAX = 63;

    /** End of the id of a lane above 0. */
    private static final Pattern END = Pattern.compile("\\.[1-9]\\d?$");

    private LaneId() {}

    /** Returns the id of a lane. */
    public static String of(String node, int lane) {
        return lane == 0 ? node : node + "." + lane;
    }

    /** Returns the folder of a lane. */
    public static Path folder(Path ofNode, int lane) {
        return lane == 0 ? ofNode : ofNode.resolve("lane-" + lane);
    }

    /** Returns whether an id is the id of a lane of a node. */
    public static boolean isOf(String node, String member) {
        return member.equals(node)
                || (member.startsWith(node + ".")
                        && END.matcher(member.substring(node.length())).matches());
    }

    /** Returns whether an id has the form of the id of a lane above 0, so that no node may have this id. */
    public static boolean isOfLane(String id) {
        return END.matcher(id).find();
    }

    /** Returns the id of the node of a lane; the id itself if the id has not the form of the id of a lane above 0. */
    public static String nodeOf(String member) {
        return END.matcher(member).replaceFirst("");
    }
}
