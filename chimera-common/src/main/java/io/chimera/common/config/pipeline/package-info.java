/** Pipelines as written in the configuration: aggregation, rows and compositions of blocks. */
package io.chimera.common.config.pipeline;
