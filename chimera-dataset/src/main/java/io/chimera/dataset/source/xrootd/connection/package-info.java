/** Connections to XRootD servers: login, many requests at the same time on one connection, and time limits. */
@NullMarked
package io.chimera.dataset.source.xrootd.connection;

import org.jspecify.annotations.NullMarked;
