package io.chimera.archive.query;

import io.chimera.archive.index.Probe;
import java.util.List;
import java.util.Map;

/**
 * A filter that was read for frames of one kind: what it asks, and not yet how to look at a frame. Immutable; any thread.
 *
 * @param text as it was written
 * @param condition that a frame meets
 * @param warnings that whoever asks should be told
 */
record ReadFilter(String text, Condition condition, List<String> warnings) {
    /**
     * Reads a filter.
     *
     * @param words of the text: the same for frames of every kind
     * @param linkType how the frames begin; the number is that of pcap files
     * @throws QuestionException where the filter is not understood, or asks for what the archive does not have
     */
    static ReadFilter of(String text, List<Token> words, int linkType) {
        if (!PacketFilter.isKnown(linkType)) {
            throw new QuestionException(
                    "Frames of link type " + linkType + " cannot be asked about: known are Ethernet, raw IP and Linux"
                            + " cooked frames. Ask with no filter for all of them, and filter what comes with tcpdump.");
        }
        PacketGrammar grammar = new PacketGrammar(text, words, LinkTypes.of(linkType));
        Condition condition = grammar.read();
        return new ReadFilter(text, condition, grammar.warnings());
    }

    /** See {@link PacketFilter#probe}. */
    Probe probe() {
        return PacketProbe.of(condition);
    }

    /** Says what each part of the probe asks for. */
    void nameProbes(Map<Probe, String> names) {
        PacketProbe.name(condition, names);
    }
}
