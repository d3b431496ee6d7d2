package io.chimera.archive.query.filter;

import io.chimera.archive.index.key.Probe;
import io.chimera.archive.query.condition.Condition;
import io.chimera.archive.query.condition.LinkTypes;
import io.chimera.archive.query.text.QuestionException;
import io.chimera.archive.query.text.Token;
import java.util.List;
import java.util.Map;

/**
 * Filter parsed for one link type, not yet compiled. Immutable; any thread.
 *
 * @param text text as written
 * @param condition condition on a frame
 * @param warnings hints for the author of the filter
 */
record ReadFilter(String text, Condition condition, List<String> warnings) {
    /**
     * Parses a filter.
     *
     * @param words tokens of the text, equal for all link types
     * @param linkType link type of the frames, numbered as in pcap files
     * @throws QuestionException when the filter is invalid, or needs data missing in the archive
     */
    static ReadFilter of(String text, List<Token> words, int linkType) {
        if (!PacketFilter.isKnown(linkType)) {
            throw new QuestionException(
                    "Frames of link type " + linkType + " are not supported by filters, only Ethernet, raw IP and Linux"
                            + " cooked frames. Query without a filter, and filter the answer with tcpdump.");
        }
        PacketGrammar grammar = new PacketGrammar(text, words, LinkTypes.of(linkType));
        Condition condition = grammar.read();
        return new ReadFilter(text, condition, grammar.warnings());
    }

    /** See {@link PacketFilter#probe}. */
    Probe probe() {
        return PacketProbe.of(condition);
    }

    /** Collects descriptions of the probe's parts. */
    void nameProbes(Map<Probe, String> names) {
        PacketProbe.name(condition, names);
    }
}
