package io.chimera.api.model;

import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;

/**
 * Order of rows by identity: metric, tags, type (double before long), time. Texts are compared as UTF-16, tags entry by
 * entry. The order of two rows never depends on the values.
 */
public final class RowOrder implements Comparator<Row> {
    /** The order. */
    public static final RowOrder BY_IDENTITY = new RowOrder();

    private RowOrder() {}

    @Override
    public int compare(Row one, Row other) {
        int order = one.metric().compareTo(other.metric());
        if (order == 0) {
            order = compare(one.tags(), other.tags());
        }
        if (order == 0) {
            order = Boolean.compare(one.isLong(), other.isLong());
        }
        return order == 0 ? Long.compare(one.timeMs(), other.timeMs()) : order;
    }

    private static int compare(Tags one, Tags other) {
        Iterator<Map.Entry<String, String>> left = one.asMap().entrySet().iterator();
        Iterator<Map.Entry<String, String>> right = other.asMap().entrySet().iterator();
        while (left.hasNext() && right.hasNext()) {
            Map.Entry<String, String> first = left.next();
            Map.Entry<String, String> second = right.next();
            int order = first.getKey().compareTo(second.getKey());
            if (order == 0) {
                order = first.getValue().compareTo(second.getValue());
            }
            if (order != 0) {
                return order;
            }
        }
        return Boolean.compare(left.hasNext(), right.hasNext());
    }
}
