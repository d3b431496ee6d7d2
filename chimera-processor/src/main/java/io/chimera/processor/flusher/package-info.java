/** The flusher: makes rows of whole shards, writes them to the stores, and commits (Chimera 2017, III-D3). */
package io.chimera.processor.flusher;
