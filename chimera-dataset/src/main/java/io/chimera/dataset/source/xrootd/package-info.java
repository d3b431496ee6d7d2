/**
 * Data source for XRootD's own protocol ({@code root://}, {@code roots://}): redirection, failover, open files that
 * threads share, and listings. The packages below have the bytes of the protocol and the connections.
 */
@NullMarked
package io.chimera.dataset.source.xrootd;

import org.jspecify.annotations.NullMarked;
