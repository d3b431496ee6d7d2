package io.chimera.processor.flusher;

import io.chimera.api.model.Row;
import io.chimera.api.model.SeriesKey;
import io.chimera.api.model.Tags;
import io.chimera.processor.Function;
import io.chimera.processor.GroupCursor;
import io.chimera.processor.Pipeline;
import java.util.List;
import java.util.Map;

/**
 * Makes the rows of one pipeline of a shard: for every group, field and function one row of metric
 * {@code <metric>.<field>.<function>}, with the group's tags and the time of the cycle. A store of time series wants at
 * least one tag: a group without any gets {@code chimera=<pipeline>}. The flusher's thread.
 */
final class RowMaker implements RowSource {
    private final Pipeline pipeline;
    private final GroupCursor groups;
    private final long timeMs;
    private final Listener listener;
    private final RowNames names;
    private SeriesKey key;
    private Tags tags;
    private int place;

    /** Hears of rows that are left out. */
    interface Listener {
        /** Nobody listens. */
        Listener NONE = new Listener() {};

        /** A result is no finite number. */
        default void onNotFinite() {}

        /**
         * An aggregator threw.
         *
         * @param row without a value
         * @param reason what it threw
         */
        default void onFailed(Row row, Throwable reason) {}
    }

    RowMaker(Pipeline pipeline, GroupCursor groups, long timeMs, Listener listener) {
        this.pipeline = pipeline;
        this.groups = groups;
        this.timeMs = timeMs;
        this.listener = listener;
        names = new RowNames(pipeline.functions());
    }

    @Override
    public boolean fill(List<Row> rows, int wanted) {
        while (rows.size() < wanted) {
            if (!nextField()) {
                return false;
            }
            addRows(rows);
        }
        return true;
    }

    private boolean nextField() {
        while (key == null || !groups.nextField()) {
            if (!groups.nextGroup()) {
                return false;
            }
            key = groups.key();
            place = 0;
            tags = key.tags().asMap().isEmpty() ? Tags.of(Map.of("chimera", pipeline.name())) : key.tags();
        }
        return true;
    }

    private void addRows(List<Row> rows) {
        List<Function> functions = pipeline.functions();
        List<String> metrics = names.of(key.metric(), groups.field(), place++);
        for (int i = 0; i < functions.size(); i++) {
            Function function = functions.get(i);
            String metric = metrics.get(i);
            if (function.kind() == Function.Kind.COUNT) {
                rows.add(Row.ofLong(metric, tags, timeMs, groups.count()));
            } else if (groups.numbers() > 0) {
                addRow(rows, metric, function);
            }
        }
    }

    private void addRow(List<Row> rows, String metric, Function function) {
        double value;
        try {
            value = value(function);
        } catch (RuntimeException | AssertionError | LinkageError | StackOverflowError e) { // a plugin's
            listener.onFailed(Row.ofDouble(metric, tags, timeMs, Double.NaN), e);
            return;
        }
        if (Double.isFinite(value)) {
            rows.add(Row.ofDouble(metric, tags, timeMs, value));
        } else {
            listener.onNotFinite();
        }
    }

    private double value(Function function) {
        return switch (function.kind()) {
            case COUNT -> groups.count();
            case MIN -> groups.min();
            case MAX -> groups.max();
            case SUM -> groups.sum();
            case MEAN -> groups.mean();
            case VARIANCE -> groups.variance();
            case PLUGIN -> groups.plugin(function.plugin());
        };
    }
}
