/**
 * Cost and performance models of data-set jobs, and the adviser for the strategy: computation only, without I/O and
 * threads. Rates are in bytes per second, amounts of data in bytes (1 MB = 1,000,000 bytes, 1 GB = 1,000 MB), times in
 * seconds, prices in the currency of the operator. An absent measurement is {@code OptionalDouble.empty()}, and limits
 * nothing.
 */
@NullMarked
package io.chimera.dataset.plan;

import org.jspecify.annotations.NullMarked;
