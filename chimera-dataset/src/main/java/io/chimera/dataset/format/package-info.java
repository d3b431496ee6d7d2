/** File formats of data sets, and the splits that are read without each other. */
@NullMarked
package io.chimera.dataset.format;

import org.jspecify.annotations.NullMarked;
