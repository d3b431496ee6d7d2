package io.chimera.archive.query;

/** Packets that were found. */
public interface FoundPackets extends FoundItems {
    /** The packet: a cursor of whose methods only those that move it are not for the caller. Valid until the next. */
    PacketInterval packet();
}
