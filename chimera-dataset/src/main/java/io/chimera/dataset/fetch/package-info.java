/** Bytes of data sources on their way to the computation: reception, read ahead. */
@NullMarked
package io.chimera.dataset.fetch;

import org.jspecify.annotations.NullMarked;
