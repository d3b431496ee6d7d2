package io.chimera.dataset.format.text;

import io.chimera.api.model.FieldType;

/**
 * Column with the value of a field. A point without the value has no such field.
 *
 * @param name name of the field
 * @param column reference of the column
 * @param type type of the field: long, double, boolean or text
 */
public record FieldColumn(String name, String column, FieldType type) {
    /**
     * Checks the type.
     *
     * @param name name of the field
     * @param column reference of the column
     * @param type any type except unsigned
     */
    public FieldColumn {
        if (type == FieldType.UNSIGNED) {
            throw new IllegalArgumentException(
                    "field " + name + " of type unsigned; expected long, double, boolean or text");
        }
    }
}
