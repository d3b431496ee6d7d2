/** Compressions of objects, the splits of compressed objects, and the streaming decoders of their content. */
@NullMarked
package io.chimera.dataset.format.codec;

import org.jspecify.annotations.NullMarked;
