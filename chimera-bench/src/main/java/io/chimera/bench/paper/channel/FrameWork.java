package io.chimera.bench.paper.channel;

/** Work of the receiver of frames. */
public enum FrameWork {
    /** Count the frames. */
    COUNT,
    /** Extract, check and fold the points. */
    FOLD
}
