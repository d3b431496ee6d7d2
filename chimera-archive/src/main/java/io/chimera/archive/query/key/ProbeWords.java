package io.chimera.archive.query.key;

import io.chimera.archive.index.key.IndexKey;
import io.chimera.archive.index.key.Probe;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Describes a probe in words. */
public final class ProbeWords {
    private final Map<Probe, String> names;
    private final List<IndexKey> keys;

    private ProbeWords(Map<Probe, String> names, List<IndexKey> keys) {
        this.names = names;
        this.keys = keys;
    }

    /**
     * Describes a probe.
     *
     * @param names descriptions of parts of the probe, as far as known
     * @param keys key definitions of the index
     */
    public static String of(Probe probe, Map<Probe, String> names, List<IndexKey> keys) {
        return new ProbeWords(names, keys).of(probe);
    }

    private String of(Probe probe) {
        if (probe == Probe.All.EVERYTHING) {
            return "everything";
        }
        if (probe instanceof Probe.And and) {
            return joined(and.probes(), " and ");
        }
        if (probe instanceof Probe.Or or) {
            return or.probes().isEmpty() ? "nothing" : joined(or.probes(), " or ");
        }
        String name = names.get(probe);
        if (name != null) {
            return name;
        }
        if (probe instanceof Probe.Exact exact) {
            return "one value of " + keys.get(exact.key()).name();
        }
        return probe instanceof Probe.Range range
                ? keys.get(range.key()).name() + " from " + range.low() + " to " + range.high()
                : probe.toString();
    }

    private String joined(List<Probe> probes, String word) {
        return probes.stream()
                .map(probe ->
                        probe instanceof Probe.And || probe instanceof Probe.Or ? "(" + of(probe) + ")" : of(probe))
                .collect(Collectors.joining(word));
    }
}
