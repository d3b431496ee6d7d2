/** The processor tier: aggregates data points per cycle and flushes the results to the stores. */
package io.chimera.processor;
