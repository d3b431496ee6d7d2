package io.chimera.dataset.format.codec;

import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.ObjectBytes;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Compression of an object. Splits by compression:
 *
 * <ul>
 *   <li>{@link #PLAIN}: any offset.
 *   <li>{@link #GZIP}: the object is one split. A gzip member does not tell its length, and its first bytes are too
 *       short to recognize.
 *   <li>{@link #ZSTD}: frame borders of the seek table at the end of the object, if there is one (zstd seekable
 *       format); else frames that are found as with lz4.
 *   <li>{@link #LZ4}: frames are found by magic number, header and the headers of the first blocks.
 * </ul>
 *
 * <p><b>Agreement of neighbours.</b> A split of frames begins at the first byte of a frame and ends at the first byte
 * of a frame or at the end of the object; {@link #splits} chooses the borders once. Bytes within a frame may look like
 * a frame, and a seek table may be wrong. Therefore the reader of a split follows its frames from the first byte on,
 * and one frame must end exactly at the end of the split; otherwise the reader throws a {@link
 * io.chimera.dataset.format.FormatException}. The first split begins at offset 0, which is the first byte of a frame.
 * If a split begins at a frame and its reader does not fail, its end is a frame as well, and so the next split begins
 * at a frame. Thus when the readers of all splits end without an exception, every border was a frame, and each frame
 * was read once. The result of an object must not be used when the reader of one of its splits failed in this way, not
 * even if bad splits are skipped: the splits after the bad border are suspect.
 */
public enum Compression {
    /** No compression. */
    PLAIN("plain", ""),
    /** gzip (RFC 1952) with any number of members. */
    GZIP("gzip", ".gz"),
    /** Zstandard (RFC 8878) with any number of frames; no dictionaries. */
    ZSTD("zstd", ".zst"),
    /** LZ4 frame format 1 with any number of frames; no dictionaries, no legacy frames. */
    LZ4("lz4", ".lz4");

    private final String text;
    private final String suffix;

    Compression(String text, String suffix) {
        this.text = text;
        this.suffix = suffix;
    }

    /** Returns the name in configurations. */
    public String text() {
        return text;
    }

    /** Returns the usual suffix of file names with the dot; empty for {@link #PLAIN}. */
    public String suffix() {
        return suffix;
    }

    /**
     * Returns the compression with a name.
     *
     * @param name a name as {@link #text()} returns it
     * @throws IllegalArgumentException when no compression has the name
     */
    public static Compression ofName(String name) {
        for (Compression compression : values()) {
            if (compression.text.equals(name)) {
                return compression;
            }
        }
        throw new IllegalArgumentException("compression \"" + name + "\"; expected one of "
                + Arrays.stream(values()).map(Compression::text).toList());
    }

    /**
     * Returns the compression by the end of a path: the usual suffix, or a dot and the name.
     *
     * @param path path of an object, in upper or lower case
     * @return {@link #PLAIN} for any other suffix
     */
    public static Compression ofPath(String path) {
        String lower = path.toLowerCase(Locale.ROOT);
        for (Compression compression : values()) {
            if (compression != PLAIN
                    && (lower.endsWith(compression.suffix) || lower.endsWith("." + compression.text))) {
                return compression;
            }
        }
        return PLAIN;
    }

    /** Returns whether the borders of splits need no proof by the split before, see above. */
    public boolean hasIndependentSplits() {
        return this == PLAIN || this == GZIP;
    }

    /**
     * Finds the splits of an object. Reads nothing of plain and gzip objects; of other objects the seek table, or the
     * bytes from each wished end of a split to the next frame. The first wished end without a frame within {@link
     * CodecLimits#frameSearchBytes()} ends the search, and the rest of the object is one split.
     *
     * @param object the object, with at least one byte
     * @param targetLength wished length of a split in bytes as stored, at least 1
     * @param limits bound of the search
     * @return ranges in ascending order without gaps, which together cover the object
     * @throws IOException when the object cannot be read
     */
    public List<ByteRange> splits(ObjectBytes object, long targetLength, CodecLimits limits) throws IOException {
        return switch (this) {
            case PLAIN -> SplitBorders.everywhere(object.length(), targetLength);
            case GZIP -> SplitBorders.none(object.length());
            case ZSTD -> SplitBorders.ofZstd(object, targetLength, limits);
            case LZ4 -> SplitBorders.atFrames(object, targetLength, limits, new Lz4FrameProbe());
        };
    }

    /**
     * Opens the content of a split.
     *
     * @param object the object
     * @param range a range that {@link #splits} returned for the object, or the whole object
     * @param limits bounds of the decoder
     * @return content from the first byte of the range on; the caller closes the content
     */
    public SplitContent open(ObjectBytes object, ByteRange range, CodecLimits limits) {
        return switch (this) {
            case PLAIN -> new PlainContent(object, range);
            case GZIP -> new FramedContent(object, range, limits, new GzipMember());
            case ZSTD -> new FramedContent(object, range, limits, new ZstdFrame(limits.windowBytesMax()));
            case LZ4 -> new FramedContent(object, range, limits, new Lz4Frame());
        };
    }
}
