/** Store of the coordinator in memory, with sessions that a simulation expires. */
package io.chimera.testkit.cluster;
