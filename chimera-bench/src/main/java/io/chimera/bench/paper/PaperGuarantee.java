package io.chimera.bench.paper;

/** Guarantee of a measured point, in the paper and here. */
enum PaperGuarantee {
    MEMORY("in memory"),
    PAGE_CACHE("in the page cache"),
    SYNCED("here on the disk after at most 100 ms, paper page cache"),
    RECEIVED("received in order, here with a checksum"),
    AGGREGATED("in the warehouse"),
    STORED("here acknowledged on the disk and in a row, paper page cache");

    private final String text;

    PaperGuarantee(String text) {
        this.text = text;
    }

    /** Returns the text for tables. */
    String text() {
        return text;
    }
}
