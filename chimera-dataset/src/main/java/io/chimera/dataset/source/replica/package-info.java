/** Several sources with the same objects, read as one. */
@NullMarked
package io.chimera.dataset.source.replica;

import org.jspecify.annotations.NullMarked;
