/** The processor tier: aggregates data points per cycle and flushes the result to a store. */
package io.chimera.processor;
