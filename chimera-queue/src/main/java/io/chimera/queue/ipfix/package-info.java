/** Flow records over the network: IPFIX out; IPFIX, NetFlow 9 and NetFlow 5 in. */
package io.chimera.queue.ipfix;
