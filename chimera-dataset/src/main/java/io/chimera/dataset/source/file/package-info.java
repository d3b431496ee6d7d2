/** Data sets in folders of a file system. */
@NullMarked
package io.chimera.dataset.source.file;

import org.jspecify.annotations.NullMarked;
