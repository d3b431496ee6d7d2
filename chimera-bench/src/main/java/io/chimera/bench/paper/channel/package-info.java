/** Channel between two processes, each on one core: points per second and per second of processor time. */
package io.chimera.bench.paper.channel;
