package io.chimera.archive.query.filter;

import io.chimera.archive.index.key.Probe;
import io.chimera.archive.query.key.PacketKeys;
import io.chimera.archive.query.key.ProbeWords;
import io.chimera.archive.query.text.QuestionException;
import io.chimera.archive.query.text.Token;
import io.chimera.archive.query.text.Tokens;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One filter for frames of every link type: a stream may hold several link types in succession. The filter is parsed
 * for all of them, because the index does not record the link types, and compiled for the types encountered. One
 * thread.
 */
public final class PacketFilters {
    /** Ethernet, raw IP, Linux cooked of both versions, numbered as in pcap files. */
    private static final List<Integer> LINK_TYPES = List.of(1, 101, 113, 276);

    private final String text;
    private final boolean isEverything;
    private final List<Token> words;
    private final Map<Integer, ReadFilter> read = new HashMap<>();
    private final Map<Integer, PacketFilter> compiled = new HashMap<>();

    /**
     * Parses a filter.
     *
     * @param text empty: every frame, including unsupported link types
     * @throws QuestionException when the filter is invalid
     */
    public PacketFilters(String text) {
        this.text = text;
        isEverything = text.isBlank();
        words = isEverything ? List.of() : Tokens.of(text);
        if (!isEverything) {
            read(LINK_TYPES.get(0));
        }
    }

    /** Returns the maximum steps of the Ethernet filter per frame; 0 if every frame matches. */
    public int steps() {
        return isEverything ? 0 : of(LINK_TYPES.get(0)).steps();
    }

    /** Returns the probe for the index in words. */
    public String probeInWords() {
        Map<Probe, String> names = new HashMap<>();
        if (!isEverything) {
            LINK_TYPES.stream().filter(this::isUnderstood).forEach(linkType -> read(linkType)
                    .nameProbes(names));
        }
        return ProbeWords.of(probe(), names, PacketKeys.keys());
    }

    /** Returns true if every frame matches. */
    public boolean isEverything() {
        return isEverything;
    }

    /**
     * Returns the filter for one link type.
     *
     * @throws QuestionException when the filter does not apply to the link type
     */
    public PacketFilter of(int linkType) {
        return compiled.computeIfAbsent(linkType, type -> PacketFilter.compile(read(type)));
    }

    private ReadFilter read(int linkType) {
        return read.computeIfAbsent(linkType, type -> ReadFilter.of(text, words, type));
    }

    /** Returns the probe for the index: the union over all link types. */
    public Probe probe() {
        if (isEverything) {
            return Probe.all();
        }
        Set<Probe> probes = new LinkedHashSet<>();
        LINK_TYPES.stream()
                .filter(this::isUnderstood)
                .forEach(linkType -> probes.add(read(linkType).probe()));
        return Probe.or(List.copyOf(probes));
    }

    /** Returns true if the filter applies to the link type; otherwise none of its frames can match. */
    private boolean isUnderstood(int linkType) {
        try {
            read(linkType);
            return true;
        } catch (QuestionException e) {
            return false;
        }
    }

    /** Returns hints for the author of an otherwise valid filter. */
    public List<String> warnings() {
        return isEverything ? List.of() : read(LINK_TYPES.get(0)).warnings();
    }
}
