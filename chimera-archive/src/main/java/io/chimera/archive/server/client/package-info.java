/** Client side of the connections between archive nodes: requests over HTTP and the answers of other nodes. */
@NullMarked
package io.chimera.archive.server.client;

import org.jspecify.annotations.NullMarked;
