package io.chimera.dataset.format.parquet;

/**
 * A column that becomes a tag or a field.
 *
 * @param name name of the tag or of the field
 * @param path name of the column; for a column within structs the names of the structs and of the column, joined by
 *     dots
 */
public record ParquetColumn(String name, String path) {
    /**
     * Checks the names.
     *
     * @param name name of the tag or of the field
     * @param path name of the column
     */
    public ParquetColumn {
        if (path.isEmpty() || name.isEmpty()) {
            throw new IllegalArgumentException(
                    "column \"" + path + "\" mapped to \"" + name + "\"; expected two names");
        }
    }
}
