/** Jobs over data sets: the plan of the splits, the state on disk, and the run of a job in one process. */
@NullMarked
package io.chimera.dataset.job;

import org.jspecify.annotations.NullMarked;
