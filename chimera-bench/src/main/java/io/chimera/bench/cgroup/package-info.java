/**
 * Control groups of the kernel: limits on the processor time of processes, versions 1 and 2. Nothing in this package
 * knows Chimera.
 */
package io.chimera.bench.cgroup;
