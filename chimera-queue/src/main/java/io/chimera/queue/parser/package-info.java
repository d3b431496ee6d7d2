/** Parsers of the agents' line and JSON protocols: convert bytes to data points in a sink without allocating. */
package io.chimera.queue.parser;
