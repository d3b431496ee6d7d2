package io.chimera.processor;

import io.chimera.api.model.SeriesKey;
import java.util.List;

/**
 * Walks the groups of a whole shard, and the fields of each, with what was aggregated of them. The order is a function of
 * what the shard contains. One thread; valid until the shard is released.
 */
public interface GroupCursor {
    /** Steps to the next group. */
    boolean nextGroup();

    /** Metric and tags of the present group. */
    SeriesKey key();

    /** Steps to the next field of the present group. */
    boolean nextField();

    /** Name of the present field. */
    String field();

    /** Number of values of the present field. */
    long count();

    /** How many of them are numbers; the functions below are defined when there is one. */
    long numbers();

    /** Least number. */
    double min();

    /** Greatest number. */
    double max();

    /** Sum of the numbers. */
    double sum();

    /** Mean of the numbers. */
    double mean();

    /** Population variance of the numbers: the mean of the squared distances from the mean. */
    double variance();

    /**
     * Result of an aggregator plugin over the numbers.
     *
     * @param plugin index among the plugins of the pipeline
     * @return what it says; NaN for no result
     */
    double plugin(int plugin);

    /**
     * A quantile of the numbers, wrong by 1 % of itself at most; the pipeline has such a function.
     *
     * @param share of the numbers that do not exceed it, 0 to 1
     */
    double quantile(double share);

    /** How many different values there are, about; the pipeline has this function. */
    long distinct();

    /**
     * The most frequent texts; the pipeline has such a function.
     *
     * @param most how many at most
     * @return the most frequent one first; empty when no value is a text
     */
    List<TextCount> top(int most);
}
