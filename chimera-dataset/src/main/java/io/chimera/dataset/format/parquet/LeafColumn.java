package io.chimera.dataset.format.parquet;

import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;

/**
 * A mapped column of an object.
 *
 * @param path names from the outermost struct to the column, joined by dots
 * @param index index among all columns with values, which is the index of the chunk in each row group
 * @param definitionMax definition level of a value; a lower level means null
 * @param element the column in the schema, with its physical and its logical type
 */
record LeafColumn(String path, int index, int definitionMax, SchemaElement element) {
    /** Returns the type of the values as stored. */
    Type type() {
        return element.getType();
    }
}
