/** Composers: run the compositions of whole shards, cycle by cycle, and build the state of their blocks anew. */
package io.chimera.processor.staging.composer;
