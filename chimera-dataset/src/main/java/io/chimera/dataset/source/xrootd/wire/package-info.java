/**
 * Requests and answers of the XRootD protocol as bytes. All classes are immutable or stateless; the functions read and
 * write byte buffers and know neither sockets nor threads.
 */
@NullMarked
package io.chimera.dataset.source.xrootd.wire;

import org.jspecify.annotations.NullMarked;
