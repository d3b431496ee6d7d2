package io.chimera.dataset.format.packet;

import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.EventFormat;
import io.chimera.dataset.format.EventReader;
import io.chimera.dataset.format.ObjectBytes;
import io.chimera.dataset.format.codec.CodecLimits;
import io.chimera.dataset.format.codec.Compression;
import io.chimera.dataset.format.codec.SplitContent;
import io.chimera.dataset.format.text.RowMapping;
import io.chimera.jni.capture.CaptureRecords;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Captures, pcap or pcapng by their first bytes: each packet is an event, with the columns of {@link PacketColumn}.
 * Immutable; any thread.
 *
 * <p><b>Borders.</b> Records have no mark, so the border before a split is searched: {@link PacketSearch} from the
 * beginning of the split on. The reader of the split begins at the border. The reader of the split before runs the same
 * search at its end, follows its own records up to the border, and fails if none begins there. The first split begins
 * at the first record of the capture. So if the readers of all splits end without an exception, every split began at a
 * record, and each record was read once. In a compressed object the rule applies to the content, as {@link
 * io.chimera.dataset.format.text.TextFormat} describes.
 *
 * <p>Each reader first reads the beginning of the capture, with the interfaces of pcapng. An interface or a section
 * after the first packet is an error in every split but the last one, because the readers of later splits cannot know
 * it.
 */
public final class PacketFormat implements EventFormat {
    private final RowMapping mapping;
    private final @Nullable Compression compression;
    private final CodecLimits limits;
    private final SearchDepth depth;

    /**
     * Creates the format.
     *
     * @param mapping mapping of the columns
     * @param compression compression; null to choose by the end of the path
     * @param limits limits of the decoders
     * @throws IllegalArgumentException when the mapping names a column that packets do not have
     */
    public PacketFormat(RowMapping mapping, @Nullable Compression compression, CodecLimits limits) {
        this(mapping, compression, limits, SearchDepth.DEFAULT);
    }

    PacketFormat(RowMapping mapping, @Nullable Compression compression, CodecLimits limits, SearchDepth depth) {
        this.mapping = mapping;
        this.compression = compression;
        this.limits = limits;
        this.depth = depth;
        new PacketRow(mapping);
    }

    private Compression of(String path) {
        return compression != null ? compression : Compression.ofPath(path);
    }

    @Override
    public List<ByteRange> splits(ObjectBytes object, long targetLength) throws IOException {
        return of(object.path()).splits(object, targetLength, limits);
    }

    @Override
    public EventReader open(ObjectBytes object, ByteRange range) throws IOException {
        Compression packed = of(object.path());
        CaptureRecords records;
        try (SplitContent whole = packed.open(object, new ByteRange(0, object.length()), limits)) {
            records = CaptureBeginning.read(object.path(), whole);
        }
        boolean isLast = range.to() == object.length();
        PacketOrigin origin = new PacketOrigin(object.path(), range.from(), isLast);
        return new PacketReader(packed.open(object, range, limits), records, new PacketRow(mapping), origin, depth);
    }

    /** {@inheritDoc} Borders are searched. */
    @Override
    public boolean hasIndependentSplits(String path) {
        return false;
    }

    @Override
    public boolean readsInOrder() {
        return true;
    }
}
