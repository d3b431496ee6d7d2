/**
 * Streams of records on a device, written at one frontier (Hyperion 2007, 4): blocks and runs in memory, writing,
 * reading, guarantees, recovery.
 */
@NullMarked
package io.chimera.archive.streamfs;

import org.jspecify.annotations.NullMarked;
