/** Encoding of data points as records. */
package io.chimera.common.wire.encode;
