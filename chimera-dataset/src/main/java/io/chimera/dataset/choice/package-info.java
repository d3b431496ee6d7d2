/** The strategy {@code auto} of a job: samples a long job, then measures on while the job runs. */
@NullMarked
package io.chimera.dataset.choice;

import org.jspecify.annotations.NullMarked;
