/**
 * Pipelines of a processor and the values that its stages exchange: pipelines with their functions and stores,
 * completed shards, group cursors, refusal limits and dead-letter files.
 */
package io.chimera.processor.pipeline;
