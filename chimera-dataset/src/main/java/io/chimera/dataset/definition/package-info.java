/** The definition of a job, as its file states it. */
@NullMarked
package io.chimera.dataset.definition;

import org.jspecify.annotations.NullMarked;
