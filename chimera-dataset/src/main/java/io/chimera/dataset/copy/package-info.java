/** Copies of objects nearby: blocks of a far source in a folder, kept for later jobs. */
@NullMarked
package io.chimera.dataset.copy;

import org.jspecify.annotations.NullMarked;
