/** Parsers of the line and JSON protocols that agents speak: bytes in, data points into a sink, no garbage. */
package io.chimera.queue.parser;
