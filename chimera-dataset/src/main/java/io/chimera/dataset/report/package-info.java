/** The report at the end of a job: figures as JSON, and a page with plots. */
@NullMarked
package io.chimera.dataset.report;

import org.jspecify.annotations.NullMarked;
