/** Staging: takes frames of parts from the extractor and folds their records into warehouses until a shard is whole. */
package io.chimera.processor.staging;
