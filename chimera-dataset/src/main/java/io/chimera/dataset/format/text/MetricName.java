package io.chimera.dataset.format.text;

/**
 * Metric of the points of a mapping: a constant, or the text of a column.
 *
 * @param text the metric or the column
 * @param isColumn whether the text names a column
 */
public record MetricName(String text, boolean isColumn) {
    /**
     * Checks the text.
     *
     * @param text not empty
     * @param isColumn whether the text names a column
     */
    public MetricName {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("metric without a name or column; expected one of them");
        }
    }

    /**
     * Creates a metric that all points have.
     *
     * @param metric the metric
     */
    public static MetricName constant(String metric) {
        return new MetricName(metric, false);
    }

    /**
     * Creates a metric that each point has in a column.
     *
     * @param column reference of the column
     */
    public static MetricName column(String column) {
        return new MetricName(column, true);
    }
}
