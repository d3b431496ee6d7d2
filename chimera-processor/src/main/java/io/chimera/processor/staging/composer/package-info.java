/** Composers: run the compositions of whole shards, cycle by cycle, and rebuild the state of blocks. */
package io.chimera.processor.staging.composer;
