package io.chimera.bench.paper;

/** Parts of the measurement. */
enum PaperPart {
    /** Stages of Table II outside the figures: parsing, reads of the journal, extraction. */
    TABLE_2("Table II"),
    /** Ring, over the bulk size. */
    FIGURE_5A("Figure 5a"),
    /** Journal on disk and tmpfs, over the bulk size. */
    FIGURE_5B("Figure 5b"),
    /** Channel over 1 Gbit/s and local. */
    FIGURE_6("Figure 6"),
    /** Warehouse on and off the heap, with one thread and several. */
    FIGURE_7("Figure 7"),
    /** Cycles on a saturated disk. */
    FIGURE_8("Figure 8");

    private final String text;

    PaperPart(String text) {
        this.text = text;
    }

    /** Returns the name in the paper. */
    String text() {
        return text;
    }
}
