package io.chimera.dataset.format.text;

/**
 * Column with the value of a tag. A point without the value has no such tag.
 *
 * @param name name of the tag
 * @param column reference of the column
 */
public record TagColumn(String name, String column) {}
