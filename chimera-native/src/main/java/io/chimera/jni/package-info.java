/** The native library and its lookup. */
@NullMarked
package io.chimera.jni;

import org.jspecify.annotations.NullMarked;
