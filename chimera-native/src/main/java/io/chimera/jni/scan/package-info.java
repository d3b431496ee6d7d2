/** Text searches with the processor's vector instructions. */
@NullMarked
package io.chimera.jni.scan;

import org.jspecify.annotations.NullMarked;
