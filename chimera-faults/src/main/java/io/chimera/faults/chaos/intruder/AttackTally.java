package io.chimera.faults.chaos.intruder;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts of attempts by kind and outcome. Any thread. */
public final class AttackTally {
    /** Maximum number of described successes; further successes are only counted. */
    private static final int TOLD_MAX = 20;

    private final Map<AttackKind, Map<Outcome, Integer>> counts = new EnumMap<>(AttackKind.class);
    private final List<String> successes = new ArrayList<>();

    /** Creates a tally without attempts. */
    public AttackTally() {
        for (AttackKind attack : AttackKind.values()) {
            counts.put(attack, new EnumMap<>(Outcome.class));
        }
    }

    synchronized void add(AttackKind attack, String target, Outcome outcome) {
        counts.get(attack).merge(outcome, 1, Integer::sum);
        if (outcome == Outcome.SUCCEEDED && successes.size() < TOLD_MAX) {
            successes.add("The intruder succeeded: " + attack.label() + " at " + target + ".");
        }
    }

    /** Returns the number of attempts that reached a port and were refused. */
    public synchronized int refused(AttackKind attack) {
        return counts.get(attack).getOrDefault(Outcome.REFUSED, 0);
    }

    /** Returns the number of attempts without a listening port. */
    public synchronized int unreachable(AttackKind attack) {
        return counts.get(attack).getOrDefault(Outcome.UNREACHABLE, 0);
    }

    /** Returns the number of successful attempts of a kind. */
    public synchronized int succeeded(AttackKind attack) {
        return counts.get(attack).getOrDefault(Outcome.SUCCEEDED, 0);
    }

    /** Returns the total number of successful attempts. */
    public synchronized int succeeded() {
        int sum = 0;
        for (AttackKind attack : AttackKind.values()) {
            sum += succeeded(attack);
        }
        return sum;
    }

    /** Returns descriptions of the first successes. */
    public synchronized List<String> successes() {
        return List.copyOf(successes);
    }

    /** Returns the kinds without an attempt that reached a port: such kinds prove nothing. */
    public synchronized List<AttackKind> unproved() {
        return List.of(AttackKind.values()).stream()
                .filter(attack -> refused(attack) + succeeded(attack) == 0)
                .toList();
    }

    /** Returns the numbers of refused, unreachable and successful attempts by kind, for programs. */
    public synchronized Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        for (AttackKind attack : AttackKind.values()) {
            Map<String, Object> figures = new LinkedHashMap<>();
            figures.put("refused", refused(attack));
            figures.put("unreachable", unreachable(attack));
            figures.put("succeeded", succeeded(attack));
            map.put(attack.label(), figures);
        }
        return map;
    }
}
