/** Parsers of Prometheus remote write, versions 1.0 and 2.0. */
package io.chimera.queue.parser.remotewrite;
