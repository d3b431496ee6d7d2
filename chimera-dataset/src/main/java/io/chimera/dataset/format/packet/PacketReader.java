package io.chimera.dataset.format.packet;

import io.chimera.api.spi.PointSink;
import io.chimera.dataset.format.EventReader;
import io.chimera.dataset.format.FormatException;
import io.chimera.dataset.format.codec.SplitContent;
import io.chimera.flow.packet.PacketDecoder;
import io.chimera.jni.capture.CaptureException;
import io.chimera.jni.capture.CaptureRecords;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads the packets of a split; {@link PacketFormat} has the rule for borders. One thread. */
final class PacketReader implements EventReader {
    /** Packets of a read. */
    private static final int BATCH = 512;

    private static final String ONE_SPLIT =
            "read the object as one split: choose a split of the job that is longer than the object";
    private static final String COMPARE = "compare the object with its origin, or write it again";
    private static final String OTHER_LINK = "link type differs from the first interface";
    private static final String UNTIMED = "missing time: a simple packet block has none";

    private final SplitContent content;
    private final CaptureRecords records;
    private final PacketWindow window;
    private final PacketSearch search;
    private final PacketRow row;
    private final PacketOrigin origin;

    private @Nullable PacketValues packet;
    private State state = State.NEW;

    /** Position at which the next split begins; searched at the end of the split. */
    private long border = PacketSearch.NONE;

    /** Position of the next record in the content of the split. */
    private long position;

    private long number;

    /**
     * Progress of a reader.
     *
     * <pre>
     * from     event                                       to
     * NEW      the border before the split is found        IN_SPLIT
     * NEW      no border is in the rest of the object      ENDED
     * IN_SPLIT a record begins at or after the end         IN_LEAD
     * IN_LEAD  the next record begins at the border        ENDED
     * IN_LEAD  without a border, the object ends           ENDED
     * </pre>
     */
    private enum State {
        NEW,
        IN_SPLIT,
        IN_LEAD,
        ENDED
    }

    /**
     * Creates a reader.
     *
     * @param content content of the split; this reader closes the content
     * @param records reader of the records, after the beginning of the object
     * @param row destination of the packets
     * @param origin place of the split
     * @param depth lengths of the search for borders
     */
    PacketReader(SplitContent content, CaptureRecords records, PacketRow row, PacketOrigin origin, SearchDepth depth) {
        this.content = content;
        this.records = records;
        this.row = row;
        this.origin = origin;
        window = new PacketWindow(content, records);
        search = new PacketSearch(window, records, depth);
    }

    @Override
    public boolean read(PointSink sink) throws IOException {
        try {
            if (state == State.NEW) {
                begin();
            }
            for (int i = 0; i < BATCH && state != State.ENDED; i++) {
                next(sink);
            }
        } catch (CaptureException e) {
            throw origin.at(position, String.valueOf(e.getMessage()), COMPARE, e);
        }
        return state != State.ENDED;
    }

    private void begin() throws IOException {
        position = origin.isFirst() ? records.first() : search.find(0);
        state = position == PacketSearch.NONE ? State.ENDED : State.IN_SPLIT;
    }

    private void next(PointSink sink) throws IOException {
        window.keepFrom(state == State.IN_SPLIT ? Math.min(position, window.splitEnd()) : position);
        boolean hasHeader = window.has(position, records.headerBytes());
        if (state == State.IN_SPLIT && position >= window.splitEnd()) {
            state = State.IN_LEAD;
            border = origin.isLast() ? PacketSearch.NONE : search.find(window.splitEnd());
        }
        if (state == State.IN_LEAD && isAtBorder()) {
            state = State.ENDED;
            return;
        }
        if (!hasHeader) {
            throw cutOff();
        }
        int bytes = records.recordBytes(position);
        if (bytes < 0) {
            throw records.failure();
        }
        if (!window.has(position, bytes)) {
            throw cutOff();
        }
        boolean isPacket = records.read(position, bytes);
        if (records.failed()) {
            throw records.failure();
        }
        if (isPacket) {
            number++;
            take(sink);
        } else if (records.isInvalid()) {
            number++;
            reject(bytes, OTHER_LINK, sink);
        } else if (records.isDefinition() && !origin.isLast() && (number > 0 || !origin.isFirst())) {
            throw origin.at(
                    position,
                    "a section or an interface begins after the first packet, which the splits after this one do not"
                            + " know",
                    ONE_SPLIT,
                    null);
        }
        position += bytes;
    }

    private FormatException cutOff() {
        return origin.at(
                position, "the object ends within a packet: it was cut off, or is still written", COMPARE, null);
    }

    private void take(PointSink sink) throws FormatException {
        int at = window.index(records.dataPosition());
        if (!records.isTimed()) {
            sink.reject(window.bytes(), at, records.captured(), number, UNTIMED);
            return;
        }
        PacketValues decoded = packet == null ? firstPacket() : packet;
        decoded.decode(window.bytes(), at, records.captured(), records.length(), records.timeNs());
        String reason = row.write(decoded, sink);
        if (reason != null) {
            sink.reject(window.bytes(), at, records.captured(), number, reason);
        }
    }

    private void reject(int bytes, String reason, PointSink sink) {
        sink.reject(window.bytes(), window.index(position), bytes, number, reason);
    }

    private PacketValues firstPacket() throws FormatException {
        int linkType = records.linkType();
        if (!PacketDecoder.isKnown(linkType)) {
            throw origin.at(
                    position,
                    "link type " + linkType + " is not supported",
                    "use captures of Ethernet, raw IP, Linux cooked, loopback, PPP or Cisco HDLC",
                    null);
        }
        PacketValues first = new PacketValues(linkType);
        packet = first;
        return first;
    }

    /**
     * Returns whether the split ends here.
     *
     * @throws FormatException when a record goes over the border: then the reader of the next split begins in a packet
     */
    private boolean isAtBorder() throws IOException {
        if (border == PacketSearch.NONE) {
            return !window.has(position, 1);
        }
        if (position > border) {
            throw origin.at(
                    position,
                    "the search for packets found byte " + border + ", where no packet begins",
                    "discard the results of this object; " + ONE_SPLIT,
                    null);
        }
        return position == border;
    }

    @Override
    public void close() {
        content.close();
        if (packet != null) {
            packet.close();
        }
    }
}
