package io.chimera.bench.peers.job;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * Tweets as lines, mapped from a file in memory. The start of each tweet is located on open, so that no engine has to
 * search for line ends. Immutable: any thread.
 */
public final class TweetInput {
    /** Number of reads of the file per pass: a pass is larger than the memory. */
    public static final int ROUNDS = Integer.getInteger("peer.rounds", 1);

    private final ByteBuffer mapped;
    private final int[] starts;

    private TweetInput(ByteBuffer mapped, int[] starts) {
        this.mapped = mapped;
        this.starts = starts;
    }

    /** Maps a file of whole lines. */
    public static TweetInput open(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
            int[] starts = new int[1 << 16];
            int tweets = 0;
            for (int i = 0; i < mapped.capacity(); i++) {
                if (mapped.get(i) == '\n') {
                    if (tweets + 1 == starts.length) {
                        starts = Arrays.copyOf(starts, 2 * starts.length);
                    }
                    starts[++tweets] = i + 1;
                }
            }
            return new TweetInput(mapped, Arrays.copyOf(starts, tweets + 1));
        }
    }

    /** Returns the number of tweets in the file. */
    public int tweets() {
        return starts.length - 1;
    }

    /** Returns all lines. */
    public ByteBuffer bytes() {
        return mapped.duplicate();
    }

    /** Returns the length of a tweet without its line end. */
    public int length(int tweet) {
        return starts[tweet + 1] - starts[tweet] - 1;
    }

    /** Copies a tweet to the start of an array; returns its length. */
    public int copy(int tweet, byte[] target) {
        int length = length(tweet);
        mapped.get(starts[tweet], target, 0, length);
        return length;
    }

    /** Returns a tweet in a new array. */
    public byte[] tweet(int tweet) {
        byte[] bytes = new byte[length(tweet)];
        copy(tweet, bytes);
        return bytes;
    }

    /** Returns the length of the longest tweet. */
    public int lengthMax() {
        int most = 0;
        for (int tweet = 0; tweet < tweets(); tweet++) {
            most = Math.max(most, length(tweet));
        }
        return most;
    }
}
