package io.chimera.processor.flusher;

import io.chimera.api.model.Row;
import io.chimera.api.model.SeriesKey;
import io.chimera.api.model.Tags;
import io.chimera.common.row.RowNaming;
import io.chimera.processor.pipeline.Function;
import io.chimera.processor.pipeline.GroupCursor;
import io.chimera.processor.pipeline.Pipeline;
import io.chimera.processor.pipeline.TextCount;
import java.util.List;

/**
 * Makes the rows of a pipeline of a shard: for every group, field and function a row with the time of the cycle; {@code
 * top} gives a row for each text. {@link RowNaming} names the rows. The flusher's thread.
 */
public final class RowMaker implements RowSource {
    private final Pipeline pipeline;
    private final GroupCursor groups;
    private final long timeMs;
    private final Listener listener;
    private final RowNaming naming;
    private final RowNames names;
    private SeriesKey key;
    private Tags tags;
    private int place;
    private long values;

    /** Receives the ends of groups, and rows left out. */
    public interface Listener {
        /** Listener without effect. */
        Listener NONE = new Listener() {};

        /**
         * Called after the last field of a group.
         *
         * @param key of the group
         * @param values number of values of the fullest field of the group
         */
        default void onGroup(SeriesKey key, long values) {}

        /** Called when a result is no finite number. */
        default void onNotFinite() {}

        /**
         * Called when an aggregator threw.
         *
         * @param row without a value
         * @param reason exception of the aggregator
         */
        default void onFailed(Row row, Throwable reason) {}
    }

    /**
     * Creates a source of rows before the first group.
     *
     * @param pipeline names the rows and selects the functions
     * @param groups cursor before the first group
     * @param timeMs time of the rows, milliseconds since 1970
     * @param listener receives the ends of groups, and rows left out
     */
    public RowMaker(Pipeline pipeline, GroupCursor groups, long timeMs, Listener listener) {
        this.pipeline = pipeline;
        this.groups = groups;
        this.timeMs = timeMs;
        this.listener = listener;
        naming = pipeline.naming();
        names = new RowNames(naming, pipeline.functions());
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
            if (key != null) {
                listener.onGroup(key, values);
                values = 0;
            }
            if (!groups.nextGroup()) {
                return false;
            }
            key = groups.key();
            place = 0;
            tags = naming.tags(key.tags());
        }
        return true;
    }

    private void addRows(List<Row> rows) {
        List<Function> functions = pipeline.functions();
        List<String> metrics = names.of(key.metric(), groups.field(), place++);
        values = Math.max(values, groups.count());
        for (int i = 0; i < functions.size(); i++) {
            Function function = functions.get(i);
            String metric = metrics.get(i);
            switch (function.kind()) {
                case COUNT -> rows.add(Row.ofLong(metric, tags, timeMs, groups.count()));
                case DISTINCT -> rows.add(Row.ofLong(metric, tags, timeMs, groups.distinct()));
                case TOP -> addTexts(rows, metric, (int) function.argument());
                default -> addNumber(rows, metric, function);
            }
        }
    }

    private void addTexts(List<Row> rows, String metric, int most) {
        for (TextCount top : groups.top(most)) {
            rows.add(Row.ofLong(metric, naming.tags(key.tags(), top.text()), timeMs, top.count()));
        }
    }

    private void addNumber(List<Row> rows, String metric, Function function) {
        if (groups.numbers() > 0) {
            addRow(rows, metric, function);
        }
    }

    private void addRow(List<Row> rows, String metric, Function function) {
        double value;
        try {
            value = value(function);
        } catch (RuntimeException | AssertionError | LinkageError | StackOverflowError e) { // thrown by a plugin
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
            case MIN -> groups.min();
            case MAX -> groups.max();
            case SUM -> groups.sum();
            case MEAN -> groups.mean();
            case VARIANCE -> groups.variance();
            case QUANTILE -> groups.quantile(function.argument());
            case PLUGIN -> groups.plugin(function.plugin());
            case COUNT, DISTINCT, TOP -> throw new IllegalStateException(function.name() + " makes rows of type long");
        };
    }
}
