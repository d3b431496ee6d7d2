/** The stores of rows. */
@NullMarked
package io.chimera.processor.store;

import org.jspecify.annotations.NullMarked;
