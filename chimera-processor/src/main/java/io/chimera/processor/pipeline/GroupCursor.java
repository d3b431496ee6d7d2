package io.chimera.processor.pipeline;

import io.chimera.api.model.SeriesKey;
import java.util.List;

/**
 * Cursor over the groups of a whole shard, and over the fields of each group with their aggregates. The order is a
 * function of the content of the shard. One thread; valid until the shard is released.
 */
public interface GroupCursor {
    /** Advances to the next group; false at the end. */
    boolean nextGroup();

    /** Returns metric and tags of the current group. */
    SeriesKey key();

    /** Advances to the next field of the current group; false at the end. */
    boolean nextField();

    /** Returns the name of the current field. */
    String field();

    /** Returns the number of values of the current field. */
    long count();

    /** Returns the number of numeric values. The functions below are defined only for at least 1. */
    long numbers();

    /** Returns the smallest number. */
    double min();

    /** Returns the largest number. */
    double max();

    /** Returns the sum of the numbers. */
    double sum();

    /** Returns the mean of the numbers. */
    double mean();

    /** Returns the population variance of the numbers: the mean of the squared distances from the mean. */
    double variance();

    /**
     * Returns the result of an aggregator plugin over the numbers.
     *
     * @param plugin index among the plugins of the pipeline
     * @return the result of the plugin; NaN for no result
     */
    double plugin(int plugin);

    /**
     * Returns a quantile of the numbers with a relative error of at most 1 %, or with that of the buckets of
     * histograms; NaN if histograms do not tell. Only for a pipeline with such a function.
     *
     * @param share of the numbers at or below the quantile, 0 to 1
     */
    double quantile(double share);

    /** Returns the approximate number of distinct values; only for a pipeline with {@code distinct}. */
    long distinct();

    /**
     * Returns the most frequent texts; only for a pipeline with {@code top}.
     *
     * @param most maximum number of texts
     * @return texts by descending frequency; empty when no value is a text
     */
    List<TextCount> top(int most);
}
