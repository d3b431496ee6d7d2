/**
 * Parquet: splits of whole row groups, and column chunks decoded in batches without an object per value. The library of
 * Apache Parquet reads footer and page headers; the decoders of the values are here, because each length is checked
 * before memory is allocated for it.
 */
@NullMarked
package io.chimera.dataset.format.parquet;

import org.jspecify.annotations.NullMarked;
