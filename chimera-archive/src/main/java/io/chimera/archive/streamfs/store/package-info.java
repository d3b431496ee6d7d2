/** Store of record streams as an interface for the rest of the archive: settings, handles, readers and status. */
@NullMarked
package io.chimera.archive.streamfs.store;

import org.jspecify.annotations.NullMarked;
