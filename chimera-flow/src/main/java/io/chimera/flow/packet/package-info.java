/** Decodes captured packets in place: addresses, ports, protocols and lengths. */
package io.chimera.flow.packet;
