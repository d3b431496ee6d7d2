/** Packets: what a frame says of where it comes from and goes to, read in place. */
package io.chimera.common.packet;
