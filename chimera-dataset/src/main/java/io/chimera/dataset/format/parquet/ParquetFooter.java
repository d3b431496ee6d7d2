package io.chimera.dataset.format.parquet;

import java.util.List;

/**
 * The parts of a footer that a reader needs.
 *
 * @param columns the mapped columns, in the order of {@link ParquetMapping#paths}
 * @param rowGroups the row groups with rows, ordered by offset
 */
record ParquetFooter(List<LeafColumn> columns, List<RowGroupPlace> rowGroups) {}
