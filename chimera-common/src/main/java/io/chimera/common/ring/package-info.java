/** The ring between threads: pre-allocated slots of off-heap bytes over the Disruptor. */
package io.chimera.common.ring;
