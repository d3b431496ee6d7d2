/** The queue tier: accepts data points, journals the points, and sends the points to processors. */
package io.chimera.queue;
