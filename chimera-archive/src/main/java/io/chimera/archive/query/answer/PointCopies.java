package io.chimera.archive.query.answer;

import io.chimera.api.spi.PointSink;
import io.chimera.archive.query.point.PointIntervalWriter;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import org.agrona.DirectBuffer;

/** Copies data points into intervals, each with points of one write time. */
public final class PointCopies implements ItemCopies<FoundPoints> {
    private final PointIntervalWriter writer;
    private long writtenNs;

    /**
     * Creates empty copies.
     *
     * @param intervalBytes maximum length of an interval; a longer point gets an interval of its own
     */
    public PointCopies(int intervalBytes) {
        writer = new PointIntervalWriter(intervalBytes);
    }

    @Override
    public boolean add(FoundPoints found) {
        if (writer.points() > 0 && found.writtenNs() != writtenNs) {
            return false;
        }
        int code = writer.add(found.row());
        if (code != PointSink.OK && code != PointIntervalWriter.FULL) {
            throw new ChimeraException(
                    Category.ERROR, found.row() + " cannot be sent: " + PointSink.reasonOf(code) + ".");
        }
        writtenNs = found.writtenNs();
        return code == PointSink.OK;
    }

    @Override
    public int items() {
        return writer.points();
    }

    @Override
    public DirectBuffer buffer() {
        return writer.buffer();
    }

    @Override
    public int finish() {
        return writer.finish(writtenNs);
    }

    @Override
    public void clear() {
        writer.clear();
    }
}
