/** Resources that a run takes from the machine and releases: a sandbox, namespaces, a disk, clocks, a folder. */
package io.chimera.faults.chaos.machine;
