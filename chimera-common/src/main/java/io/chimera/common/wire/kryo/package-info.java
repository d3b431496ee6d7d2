/** Serializes plugin objects; the only package with a dependency on Kryo. */
package io.chimera.common.wire.kryo;
