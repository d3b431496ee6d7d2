package io.chimera.bench.capture;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Results of the capture measurements. */
final class CaptureResults {
    private final List<PacketCost> costs = new ArrayList<>();
    private final Map<String, BigDecimal> others = new LinkedHashMap<>();
    private boolean isComplete = true;

    void add(PacketCost cost) {
        costs.add(cost);
    }

    /** Adds a figure other than a cost. */
    void add(String figure, BigDecimal value) {
        others.put(figure, value);
    }

    /** Reports a skipped measurement and the remedy on standard error, even when only the report is wanted. */
    void leaveOut(String figure, String cause) {
        isComplete = false;
        System.err.println(figure + " was skipped: " + cause + ".");
    }

    /** Returns whether nothing was skipped. */
    boolean isComplete() {
        return isComplete;
    }

    List<PacketCost> costs() {
        return costs;
    }

    Optional<PacketCost> cost(String who) {
        return costs.stream().filter(cost -> cost.who().equals(who)).findFirst();
    }

    Map<String, BigDecimal> others() {
        return others;
    }
}
