package io.chimera.flow.ipfix.exporter;

/** Precision of exported flow times. */
public enum ExportTime {
    /** flowStartMilliseconds and flowEndMilliseconds, known to every collector. */
    MILLISECONDS(ExportField.START_MS, ExportField.END_MS),

    /** flowStartNanoseconds and flowEndNanoseconds: full capture precision, to 0.24 ns. */
    NANOSECONDS(ExportField.START_NS, ExportField.END_NS);

    private final ExportField start;
    private final ExportField end;

    ExportTime(ExportField start, ExportField end) {
        this.start = start;
        this.end = end;
    }

    ExportField start() {
        return start;
    }

    ExportField end() {
        return end;
    }
}
