package io.chimera.dataset.format.packet;

/**
 * Lengths of a search for a border.
 *
 * @param leadBytes distance from the first likely record to the border: likely records within a packet end, or lead to
 *     the records of the capture, before this distance
 * @param chainBytes length of the likely records that a search asks for, more than the lead
 */
record SearchDepth(int leadBytes, int chainBytes) {
    /** The lead is longer than the largest IP packet, and the chain is another such packet longer. */
    static final SearchDepth DEFAULT = new SearchDepth(96 << 10, 192 << 10);
}
