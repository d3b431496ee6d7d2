package io.chimera.dataset.format.parquet;

/**
 * A column that becomes a tag or a field.
 *
 * @param path name of the column; for a column within structs the names of the structs and of the column, joined by dots
 * @param name name of the tag or of the field
 */
public record ParquetColumn(String path, String name) {
    /**
     * Checks the names.
     *
     * @param path name of the column
     * @param name name of the tag or of the field
     */
    public ParquetColumn {
        if (path.isEmpty() || name.isEmpty()) {
            throw new IllegalArgumentException(
                    "column \"" + path + "\" mapped to \"" + name + "\"; expected two names");
        }
    }
}
