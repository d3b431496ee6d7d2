/** Captures of packets, pcap and pcapng: splits at packets, and packets as rows of named columns. */
@NullMarked
package io.chimera.dataset.format.packet;

import org.jspecify.annotations.NullMarked;
