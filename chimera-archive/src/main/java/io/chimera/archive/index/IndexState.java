package io.chimera.archive.index;

import java.util.List;

/**
 * What searches see, published as a whole. In order of time: bundles in the index stream, the one that is being written to it,
 * the one that fills.
 *
 * @param bundles in the index stream
 * @param closing full, on its way to the index stream; null if none is
 * @param open takes groups; a search sees those that come later
 * @param rebuiltNumber of the last record of the data stream when the index had been rebuilt: what lacks up to it is visited unasked, and
 *     behind it nothing lacks; {@link #NOT_REBUILT} as long as everything that follows may lack
 */
record IndexState(List<BundleEntry> bundles, Bundle closing, Bundle open, long rebuiltNumber) {
    static final long NOT_REBUILT = Long.MAX_VALUE;

    IndexState {
        bundles = List.copyOf(bundles);
    }
}
