/** Measurements before a job runs: its source, computation and storage, bounded in time, bytes and requests. */
@NullMarked
package io.chimera.dataset.sample;

import org.jspecify.annotations.NullMarked;
