/** Keys of packets and data points for the index: extraction when writing, probes when searching. */
@NullMarked
package io.chimera.archive.query.key;

import org.jspecify.annotations.NullMarked;
