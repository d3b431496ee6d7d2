/** Ring between threads: pre-allocated slots of off-heap bytes, based on the Disruptor. */
package io.chimera.common.ring;
