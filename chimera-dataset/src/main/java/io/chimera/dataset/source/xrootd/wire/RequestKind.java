package io.chimera.dataset.source.xrootd.wire;

/** Requests of a reader, with their numbers in the protocol. */
public enum RequestKind {
    /** Asks for a value about a file or a server; here for a checksum. */
    QUERY(3001),
    /** Closes an open file. */
    CLOSE(3003),
    /** Lists a folder. */
    DIRLIST(3004),
    /** Negotiates version and TLS. */
    PROTOCOL(3006),
    /** Begins a session. */
    LOGIN(3007),
    /** Opens a file. */
    OPEN(3010),
    /** Reads a range of an open file. */
    READ(3013),
    /** Returns length and times of a file or folder. */
    STAT(3017),
    /** Reads several ranges of open files. */
    READV(3025),
    /** Returns the servers of a file or folder. */
    LOCATE(3027);

    private final int code;

    RequestKind(int code) {
        this.code = code;
    }

    /** Returns the number in the protocol. */
    public int code() {
        return code;
    }
}
