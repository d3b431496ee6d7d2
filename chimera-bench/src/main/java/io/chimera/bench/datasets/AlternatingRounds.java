package io.chimera.bench.datasets;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Measures variants in turn, in one order and then in the reverse order, so that other load affects all alike. */
final class AlternatingRounds {
    private final Map<String, Variant> variants = new LinkedHashMap<>();

    /** Measures a variant once. */
    @FunctionalInterface
    interface Variant {
        /** Returns the result of this round. */
        double measure() throws IOException, InterruptedException;
    }

    /** Adds a variant. */
    void add(String name, Variant variant) {
        variants.put(name, variant);
    }

    /**
     * Measures all variants.
     *
     * @param rounds number of rounds, at least 1
     * @return results by variant, in the order of the rounds
     */
    Map<String, List<Double>> run(int rounds) throws IOException, InterruptedException {
        Map<String, List<Double>> results = new LinkedHashMap<>();
        variants.keySet().forEach(name -> results.put(name, new ArrayList<>()));
        List<String> order = new ArrayList<>(variants.keySet());
        for (int round = 0; round < rounds; round++) {
            for (String name : order) {
                results.get(name).add(variants.get(name).measure());
            }
            Collections.reverse(order);
        }
        return results;
    }
}
