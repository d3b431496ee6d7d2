package io.chimera.dataset.format.parquet;

import org.apache.parquet.format.CompressionCodec;

/**
 * Place of a column chunk: the pages of one column in one row group.
 *
 * @param offset offset of the first page in the object
 * @param length length of all pages with their headers, in bytes
 * @param codec codec of the pages
 */
record ChunkPlace(long offset, long length, CompressionCodec codec) {}
