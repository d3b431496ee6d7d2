/** Data sets on HTTP servers, read by ranges; and the HTTP client that other sources share. */
@NullMarked
package io.chimera.dataset.source.http;

import org.jspecify.annotations.NullMarked;
