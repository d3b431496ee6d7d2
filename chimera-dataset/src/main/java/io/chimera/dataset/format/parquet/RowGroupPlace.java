package io.chimera.dataset.format.parquet;

import java.util.List;

/**
 * Place of a row group.
 *
 * @param number number in the object, from 0
 * @param start offset of the first page of any column
 * @param firstRow number of rows in the row groups before
 * @param rows number of rows, at least 1
 * @param chunks the chunks of the mapped columns, in the order of {@link ParquetMapping#paths}
 */
record RowGroupPlace(int number, long start, long firstRow, long rows, List<ChunkPlace> chunks) {}
