package io.chimera.archive.index.key;

import org.jspecify.annotations.Nullable;

/** Scheme for the keys in a signature. */
public enum SignatureKind {
    /**
     * Split-block Bloom filter: a key sets four or eight bits within one block of 256 bits, so one short read answers a
     * probe.
     */
    SPLIT_BLOCK((byte) 1),
    /** Bloom filter as in the paper: a key sets its bits anywhere in the signature (Hyperion 2007, 5.1). */
    BLOOM((byte) 2);

    private final byte code;

    SignatureKind(byte code) {
        this.code = code;
    }

    /** Returns the stored code. */
    public byte code() {
        return code;
    }

    /** Returns the kind of a code; null for an unknown code. */
    public static @Nullable SignatureKind of(byte code) {
        for (SignatureKind kind : values()) {
            if (kind.code == code) {
                return kind;
            }
        }
        return null;
    }
}
