/** Flow records over the network: exports IPFIX; receives IPFIX, NetFlow 9 and NetFlow 5. */
package io.chimera.flow.ipfix;
