package io.chimera.dataset.format.text;

/**
 * Column with the time of the point.
 *
 * @param column reference of the column
 * @param format format of the text
 */
public record TimeColumn(String column, TimeFormat format) {}
