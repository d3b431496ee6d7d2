/** The queue tier: takes data points in, journals them and sends them to the processors. */
package io.chimera.queue;
