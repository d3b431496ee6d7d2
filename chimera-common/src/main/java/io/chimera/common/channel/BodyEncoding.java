package io.chimera.common.channel;

/** Content encodings of HTTP bodies accepted by a handler; a body with another encoding is answered 415. */
public enum BodyEncoding {
    /** Plain, gzip (RFC 1952) or deflate (RFC 1950 and 1951). */
    ZLIB("gzip, deflate or none"),
    /** Snappy's block format, with or without the header; never plain. */
    SNAPPY("snappy");

    private final String names;

    BodyEncoding(String names) {
        this.names = names;
    }

    /** Names of the encodings, for the end of a sentence. */
    public String names() {
        return names;
    }
}
