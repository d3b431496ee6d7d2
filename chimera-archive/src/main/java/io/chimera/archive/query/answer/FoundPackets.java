package io.chimera.archive.query.answer;

import io.chimera.archive.query.packet.PacketInterval;

/** Cursor over found packets. */
public interface FoundPackets extends FoundItems {
    /** Returns the current packet, valid until the next call of {@link #next}. The caller must not move this cursor. */
    PacketInterval packet();
}
