/** Measurements of a running job: what its sources send, what its workers compute and wait for, and the time left. */
@NullMarked
package io.chimera.dataset.meter;

import org.jspecify.annotations.NullMarked;
