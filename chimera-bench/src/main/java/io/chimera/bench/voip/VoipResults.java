package io.chimera.bench.voip;

import io.chimera.bench.peers.EngineMeasurement;
import io.chimera.bench.peers.PeersEffort;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Results of the measurements. */
final class VoipResults {
    private final Reckoning reckoning;
    private final PeersEffort effort;
    private final List<EngineMeasurement> measurements = new ArrayList<>();
    private final Map<String, Double> detectorCpuSeconds = new LinkedHashMap<>();

    VoipResults(Reckoning reckoning, PeersEffort effort) {
        this.reckoning = reckoning;
        this.effort = effort;
    }

    /**
     * Adds an engine.
     *
     * @param detectors processor time of all its detectors in seconds, by pass; empty when not measured separately
     */
    void add(EngineMeasurement measurement, List<Double> detectors) {
        measurements.add(measurement);
        if (!detectors.isEmpty()) {
            List<Double> counting = new ArrayList<>(detectors.subList(effort.warmups(), effort.all()));
            counting.sort(null);
            detectorCpuSeconds.put(measurement.engine(), counting.get(counting.size() / 2));
        }
    }

    Reckoning reckoning() {
        return reckoning;
    }

    List<EngineMeasurement> measurements() {
        return measurements;
    }

    /** Returns the median processor time of all detectors per pass in seconds, by engine. */
    Map<String, Double> detectorCpuSeconds() {
        return detectorCpuSeconds;
    }
}
