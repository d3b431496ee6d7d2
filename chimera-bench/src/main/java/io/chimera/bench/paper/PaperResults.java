package io.chimera.bench.paper;

import io.chimera.bench.paper.disk.Saturation;
import java.util.ArrayList;
import java.util.List;

/** Results of the paper's measurements. One thread. */
final class PaperResults {
    private final List<PaperMeasurement> measurements = new ArrayList<>();
    private final List<Saturation> saturations = new ArrayList<>();
    private boolean isComplete = true;

    void add(PaperMeasurement measurement) {
        measurements.add(measurement);
    }

    void add(Saturation saturation) {
        saturations.add(saturation);
        measurements.add(new PaperMeasurement(
                PaperCatalog.saturated(saturation.cyclePoints()),
                saturation.pointsPerSecond(),
                saturation.cores(),
                saturation.journalBytesPerSecond() / saturation.pointsPerSecond()));
    }

    /** Reports a skipped measurement and the remedy on standard error, even when only the report is wanted. */
    void leaveOut(String rows, String cause) {
        isComplete = false;
        System.err.println(rows + " is not available on this machine: " + cause + ".");
    }

    /** Returns whether nothing was skipped. */
    boolean isComplete() {
        return isComplete;
    }

    List<PaperMeasurement> measurements() {
        return measurements;
    }

    List<Saturation> saturations() {
        return saturations;
    }
}
