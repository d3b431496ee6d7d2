package io.chimera.archive.index;

import java.util.List;

/**
 * What searches see, published as a whole. In order of time: bundles in the index stream, the one that is being written to it,
 * the one that fills.
 *
 * @param bundles in the index stream
 * @param closing full, on its way to the index stream; null if none is
 * @param open takes groups; a search sees those that come later
 * @param isWhole whether everything in the data stream is indexed; if not, what follows is visited unasked
 */
record IndexState(List<BundleEntry> bundles, Bundle closing, Bundle open, boolean isWhole) {
    IndexState {
        bundles = List.copyOf(bundles);
    }
}
