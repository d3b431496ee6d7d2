/** Network of a simulated cluster: transports, connections and their faults. */
package io.chimera.testkit.channel;
