/** Objects as bytes: the one home of Kryo, for what is an object and not a data point. */
package io.chimera.common.wire.kryo;
