/** Flows: which packets belong together, what is counted of them, and how that becomes a data point. */
package io.chimera.queue.flow;
