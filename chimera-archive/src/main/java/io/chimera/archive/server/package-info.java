/** Archive as a server: questions over HTTP, the share of the distributed index, and queries of all archive nodes. */
@NullMarked
package io.chimera.archive.server;

import org.jspecify.annotations.NullMarked;
