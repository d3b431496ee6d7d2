package io.chimera.queue.ipfix;

/** How exactly the times of a flow are told. */
public enum ExportTime {
    /** flowStartMilliseconds and flowEndMilliseconds, which every collector knows. */
    MILLISECONDS(ExportField.START_MS, ExportField.END_MS),

    /** flowStartNanoseconds and flowEndNanoseconds: as exact as they were taken, to 0.24 ns. */
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
