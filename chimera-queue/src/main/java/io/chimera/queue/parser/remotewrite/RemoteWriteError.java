package io.chimera.queue.parser.remotewrite;

/** Defects of a request or a series of remote write, with the reason for the sender. */
enum RemoteWriteError {
    NOT_A_MESSAGE("malformed message: Protocol Buffers of the announced version are expected"),
    FIRST_SYMBOL("the first symbol must be the empty text"),
    TOO_MANY_SYMBOLS("more than 1,048,576 symbols"),

    NO_METRIC("missing metric: label __name__ is absent or empty"),
    DUPLICATE_LABEL("duplicate label"),
    EMPTY_LABEL("label without a name or a value"),
    TOO_MANY_LABELS("more than 64 labels besides __name__"),
    TOO_LONG("label longer than 65,535 bytes, or labels of a series longer than 384 KiB"),
    NOT_UTF8("label is not UTF-8"),
    ODD_REFERENCES("odd number of label references"),
    BAD_REFERENCE("label reference outside the symbol table"),

    NOT_FINITE("value is NaN or infinite: aggregates cannot store such a value"),
    HISTOGRAM("native histograms are not supported: send classic histograms, or set send_native_histograms: false");

    private final String text;

    RemoteWriteError(String text) {
        this.text = text;
    }

    /** Reason for the sender of a rejected series, sample or request. */
    String text() {
        return text;
    }
}
