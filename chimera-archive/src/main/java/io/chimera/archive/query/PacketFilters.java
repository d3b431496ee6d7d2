package io.chimera.archive.query;

import io.chimera.archive.index.Probe;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One filter for frames of every kind: a stream may hold several, one after the other. It is read for all of them, as the index does not
 * know which there are, and compiled for those that come. One thread.
 */
final class PacketFilters {
    /** Ethernet, raw IP, Linux cooked of both versions: numbers of pcap files. */
    private static final List<Integer> LINK_TYPES = List.of(1, 101, 113, 276);

    private final String text;
    private final boolean isEverything;
    private final List<Token> words;
    private final Map<Integer, ReadFilter> read = new HashMap<>();
    private final Map<Integer, PacketFilter> compiled = new HashMap<>();

    /**
     * Compiles a filter.
     *
     * @param text empty: every frame, of kinds that filters do not know, too
     * @throws QuestionException when it is not understood
     */
    PacketFilters(String text) {
        this.text = text;
        isEverything = text.isBlank();
        words = isEverything ? List.of() : Tokens.of(text);
        if (!isEverything) {
            read(LINK_TYPES.get(0));
        }
    }

    /** Steps that the filter for Ethernet has at most for a frame; 0 where every frame matches. */
    int steps() {
        return isEverything ? 0 : of(LINK_TYPES.get(0)).steps();
    }

    /** What the index is asked for, for people. */
    String probeInWords() {
        Map<Probe, String> names = new HashMap<>();
        if (!isEverything) {
            LINK_TYPES.stream().filter(this::isUnderstood).forEach(linkType -> read(linkType)
                    .nameProbes(names));
        }
        return ProbeWords.of(probe(), names, PacketKeys.keys());
    }

    /** Whether every frame matches. */
    boolean isEverything() {
        return isEverything;
    }

    /**
     * The filter for one kind.
     *
     * @throws QuestionException when frames of this kind cannot be asked so
     */
    PacketFilter of(int linkType) {
        return compiled.computeIfAbsent(linkType, type -> PacketFilter.compile(read(type)));
    }

    private ReadFilter read(int linkType) {
        return read.computeIfAbsent(linkType, type -> ReadFilter.of(text, words, type));
    }

    /** What the index is asked for: all that the filter may let through of any kind of frames. */
    Probe probe() {
        if (isEverything) {
            return Probe.all();
        }
        Set<Probe> probes = new LinkedHashSet<>();
        LINK_TYPES.stream()
                .filter(this::isUnderstood)
                .forEach(linkType -> probes.add(read(linkType).probe()));
        return Probe.or(List.copyOf(probes));
    }

    /** Otherwise no frame of the kind can match. */
    private boolean isUnderstood(int linkType) {
        try {
            read(linkType);
            return true;
        } catch (QuestionException e) {
            return false;
        }
    }

    /** What whoever asks should be told, though the filter is understood. */
    List<String> warnings() {
        return isEverything ? List.of() : read(LINK_TYPES.get(0)).warnings();
    }
}
