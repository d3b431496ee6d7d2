package io.chimera.common.cluster;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.chimera.common.identity.LaneId;
import java.util.regex.Pattern;

/**
 * Name of a journal group: the queue nodes that journal each other's points. Journal groups share nothing but the
 * coordinator and the processors.
 *
 * <p>A queue node with several lanes is a member of one journal group per lane: lane 0 of every node of the group
 * {@code east} belongs to {@code east}, lane 1 to {@code east.1}. A configured name has no dot, so the name of a lane's
 * group cannot meet the name of another group.
 *
 * @param name lower-case letters, digits, {@code _} and {@code -}, at most {@link #LENGTH_MAX}; then, for a lane above
 *     0, a dot and the number of the lane, at most {@link LaneId#LANE_MAX}
 */
public record JournalGroup(@JsonValue String name) implements Comparable<JournalGroup> {
    /** Maximum length of a configured name. */
    public static final int LENGTH_MAX = 32;

    private static final Pattern FORM =
            Pattern.compile("[a-z0-9_-]{1," + LENGTH_MAX + "}(\\.([1-9]|[1-5][0-9]|6[0-3]))?");

    /** Group of a queue node without a configured group. */
    public static final JournalGroup DEFAULT = new JournalGroup("main");

    /** Checks the form. */
    @JsonCreator
    public JournalGroup {
        if (!FORM.matcher(name).matches()) {
            throw new IllegalArgumentException("Invalid name of a journal group: '" + name + "' (1 to " + LENGTH_MAX
                    + " of a-z, 0-9, _ and - required)");
        }
    }

    /** Returns whether a text can be the configured name of a group. */
    public static boolean isName(String text) {
        return text.indexOf('.') < 0 && FORM.matcher(text).matches();
    }

    /** Returns the group of a lane of the members of this group. */
    public JournalGroup lane(int lane) {
        return lane == 0 ? this : new JournalGroup(name + "." + lane);
    }

    /** Returns the configured group: the group of lane 0 of its members. */
    public JournalGroup base() {
        int dot = name.indexOf('.');
        return dot < 0 ? this : new JournalGroup(name.substring(0, dot));
    }

    /** Returns the number of the lane whose members form this group; 0 for a configured group. */
    public int laneNumber() {
        int dot = name.indexOf('.');
        return dot < 0 ? 0 : Integer.parseInt(name.substring(dot + 1));
    }

    /** Returns whether this is the default group, which stored forms do not name. */
    public boolean isDefault() {
        return equals(DEFAULT);
    }

    /** Orders the default group first, then by name. */
    @Override
    public int compareTo(JournalGroup other) {
        return isDefault() || other.isDefault()
                ? Boolean.compare(other.isDefault(), isDefault())
                : name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return name;
    }
}
