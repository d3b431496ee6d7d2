/** The interfaces that a plugin implements, and the interfaces that a plugin calls. */
@NullMarked
package io.chimera.api.spi;

import org.jspecify.annotations.NullMarked;
