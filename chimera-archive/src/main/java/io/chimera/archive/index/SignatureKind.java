package io.chimera.archive.index;

/** How keys are superimposed in a signature. */
public enum SignatureKind {
    /** Split-block Bloom filter: a key sets eight bits within one block of 256, so one short read answers a probe. */
    SPLIT_BLOCK((byte) 1),
    /** Bloom's filter as in the paper: a key sets its bits anywhere in the signature (Hyperion 2007, 5.1). */
    BLOOM((byte) 2);

    private final byte code;

    SignatureKind(byte code) {
        this.code = code;
    }

    /** As it is stored. */
    byte code() {
        return code;
    }

    /** The kind of a code; null if it has none. */
    static SignatureKind of(byte code) {
        for (SignatureKind kind : values()) {
            if (kind.code == code) {
                return kind;
            }
        }
        return null;
    }
}
