package io.chimera.faults.chaos.intruder;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts of attempts by kind and outcome. Any thread. */
public final class AttackTally {
    /** Successes that are told in words; the others are counted only. */
    private static final int TOLD_MAX = 20;

    private final Map<Attack, Map<Outcome, Integer>> counts = new EnumMap<>(Attack.class);
    private final List<String> successes = new ArrayList<>();

    /** Nothing was tried yet. */
    public AttackTally() {
        for (Attack attack : Attack.values()) {
            counts.put(attack, new EnumMap<>(Outcome.class));
        }
    }

    synchronized void add(Attack attack, String target, Outcome outcome) {
        counts.get(attack).merge(outcome, 1, Integer::sum);
        if (outcome == Outcome.SUCCEEDED && successes.size() < TOLD_MAX) {
            successes.add("The intruder succeeded: " + attack.label() + " at " + target + ".");
        }
    }

    /** Attempts that reached a port and were turned away. */
    public synchronized int refused(Attack attack) {
        return counts.get(attack).getOrDefault(Outcome.REFUSED, 0);
    }

    /** Attempts that met nobody. */
    public synchronized int unreachable(Attack attack) {
        return counts.get(attack).getOrDefault(Outcome.UNREACHABLE, 0);
    }

    /** Attempts that did what the intruder wanted. */
    public synchronized int succeeded(Attack attack) {
        return counts.get(attack).getOrDefault(Outcome.SUCCEEDED, 0);
    }

    /** All successes. */
    public synchronized int succeeded() {
        int sum = 0;
        for (Attack attack : Attack.values()) {
            sum += succeeded(attack);
        }
        return sum;
    }

    /** Successes in sentences, at most some. */
    public synchronized List<String> successes() {
        return List.copyOf(successes);
    }

    /** Kinds none of whose attempts reached a port: they prove nothing. */
    public synchronized List<Attack> unproved() {
        return List.of(Attack.values()).stream()
                .filter(attack -> refused(attack) + succeeded(attack) == 0)
                .toList();
    }

    /** For programs: by kind the number refused, unreachable and succeeded. */
    public synchronized Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        for (Attack attack : Attack.values()) {
            Map<String, Object> figures = new LinkedHashMap<>();
            figures.put("refused", refused(attack));
            figures.put("unreachable", unreachable(attack));
            figures.put("succeeded", succeeded(attack));
            map.put(attack.label(), figures);
        }
        return map;
    }
}
