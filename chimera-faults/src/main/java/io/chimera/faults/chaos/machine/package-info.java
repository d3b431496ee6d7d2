/** What a run borrows from the machine and gives back: a sandbox, namespaces, a disk, clocks, a folder. */
package io.chimera.faults.chaos.machine;
