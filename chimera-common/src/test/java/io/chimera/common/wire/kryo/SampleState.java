package io.chimera.common.wire.kryo;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** State of a typical aggregator plugin: one field of each serializable kind. */
final class SampleState {
    /** Nested object. */
    static final class Inner {
        long count;
        String label;
    }

    double sum;
    int[] buckets = new int[0];
    double[] values = new double[0];
    long[] longs = new long[0];
    boolean[] flags = new boolean[0];
    byte[] raw = new byte[0];
    String name;
    String[] names = new String[0];
    Inner inner = new Inner();
    Inner[] inners = new Inner[0];
    List<String> list = new ArrayList<>();
    Map<String, Double> map = new HashMap<>();
}
