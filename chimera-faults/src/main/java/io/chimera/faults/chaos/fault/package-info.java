/** Which faults strike when, how they are done and undone, and how long the cluster took to get over them. */
package io.chimera.faults.chaos.fault;
