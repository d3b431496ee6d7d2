package io.chimera.archive.query;

import io.chimera.archive.index.Probe;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What an index is asked, for people. */
final class ProbeWords {
    private ProbeWords() {}

    /**
     * Writes a probe down.
     *
     * @param names of its parts
     */
    static String of(Probe probe, Map<Probe, String> names) {
        if (probe == Probe.All.EVERYTHING) {
            return "everything";
        }
        if (probe instanceof Probe.And and) {
            return joined(and.probes(), " and ", names);
        }
        if (probe instanceof Probe.Or or) {
            return or.probes().isEmpty() ? "nothing" : joined(or.probes(), " or ", names);
        }
        return names.getOrDefault(probe, probe.toString());
    }

    private static String joined(List<Probe> probes, String word, Map<Probe, String> names) {
        return probes.stream()
                .map(probe -> probe instanceof Probe.And || probe instanceof Probe.Or
                        ? "(" + of(probe, names) + ")"
                        : of(probe, names))
                .collect(Collectors.joining(word));
    }
}
