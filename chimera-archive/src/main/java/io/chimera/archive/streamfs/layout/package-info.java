/** Layout of a volume on its devices: labels, roots, records and handles, with their checksums, and the devices. */
@NullMarked
package io.chimera.archive.streamfs.layout;

import org.jspecify.annotations.NullMarked;
