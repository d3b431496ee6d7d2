package io.chimera.node.launch;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.identity.LaneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Names of the lanes of a node: ids of members, and sentences about lanes. */
final class LaneNames {
    /** Maximum length of the id of a member. */
    private static final int ID_LENGTH_MAX = 64;

    private LaneNames() {}

    /**
     * Checks that the id of the last lane, the longest one, can name a member.
     *
     * @param setting name of the setting with the number of lanes
     */
    static void check(String id, int lanes, String setting) {
        String last = LaneId.of(id, lanes - 1);
        if (last.length() > ID_LENGTH_MAX) {
            throw new ChimeraException(
                    Category.FATAL,
                    "The id " + last + " of a lane has more than " + ID_LENGTH_MAX
                            + " characters. Set a shorter node.id, or " + setting + ": 1.");
        }
    }

    /** Merges the sentences of the lanes, each sentence once. A sentence of some lanes only names these lanes. */
    static List<String> merge(List<List<String>> byLane) {
        Map<String, List<Integer>> lanesOf = new LinkedHashMap<>();
        for (int lane = 0; lane < byLane.size(); lane++) {
            for (String sentence : byLane.get(lane)) {
                lanesOf.computeIfAbsent(sentence, unseen -> new ArrayList<>()).add(lane);
            }
        }
        List<String> merged = new ArrayList<>();
        lanesOf.forEach((sentence, lanes) ->
                merged.add(lanes.size() == byLane.size() ? sentence : name(lanes) + ": " + sentence));
        return merged;
    }

    private static String name(List<Integer> lanes) {
        String numbers = lanes.stream().map(String::valueOf).collect(Collectors.joining(", "));
        return (lanes.size() == 1 ? "lane " : "lanes ") + numbers;
    }
}
