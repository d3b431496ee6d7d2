/** Inputs of data points: HTTP, TCP and UDP endpoints feed a parser and write the parsed points to the ring. */
package io.chimera.queue.source;
