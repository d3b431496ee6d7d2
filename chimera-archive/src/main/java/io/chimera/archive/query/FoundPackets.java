package io.chimera.archive.query;

/** Cursor over found packets. */
public interface FoundPackets extends FoundItems {
    /** Returns the current packet, valid until the next call of {@link #next}. The caller must not move this cursor. */
    PacketInterval packet();
}
