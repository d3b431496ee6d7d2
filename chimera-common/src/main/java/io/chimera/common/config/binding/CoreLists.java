package io.chimera.common.config.binding;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Cores for the threads of the lanes of a node, as configured: no list, one list for all lanes, or one list for each
 * lane. A list is written as {@code 0-3} or {@code 0,2,8-11}.
 */
public final class CoreLists {
    /** Highest number of a core. */
    public static final int CORE_MAX = 4_095;

    private static final String FORM = "\\d{1,4}(-\\d{1,4})?(,\\d{1,4}(-\\d{1,4})?)*";

    private CoreLists() {}

    /**
     * Returns the cores of a lane.
     *
     * @param lists valid lists
     * @param lane number of the lane, from 0
     * @return numbers of cores, from 0; empty for any core
     */
    public static SortedSet<Integer> ofLane(List<String> lists, int lane) {
        if (lists.isEmpty()) {
            return new TreeSet<>();
        }
        return parse(lists.get(lists.size() == 1 ? 0 : lane));
    }

    /** Returns whether all texts are valid lists. */
    public static boolean areValid(List<String> lists) {
        return lists.stream().allMatch(CoreLists::isValid);
    }

    /** Returns whether the number of lists fits a number of lanes. */
    public static boolean fit(List<String> lists, int lanes) {
        return lists.size() <= 1 || lists.size() == lanes;
    }

    private static boolean isValid(String text) {
        try {
            return !parse(text).isEmpty();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static SortedSet<Integer> parse(String text) {
        if (!text.matches(FORM)) {
            throw new IllegalArgumentException("no list of cores");
        }
        SortedSet<Integer> cores = new TreeSet<>();
        for (String range : text.split(",", -1)) {
            int dash = range.indexOf('-');
            int first = Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
            int last = dash < 0 ? first : Integer.parseInt(range.substring(dash + 1));
            if (last < first || last > CORE_MAX) {
                throw new IllegalArgumentException("no range of cores");
            }
            for (int core = first; core <= last; core++) {
                cores.add(core);
            }
        }
        return cores;
    }
}
