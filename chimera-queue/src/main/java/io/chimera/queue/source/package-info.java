/** Where data points come in: HTTP, TCP and UDP ends that feed a parser and write what it finds into the ring. */
package io.chimera.queue.source;
