package io.chimera.dataset.compute;

import io.chimera.api.HotPath;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.BodyReader;
import io.chimera.common.wire.Entries;
import io.chimera.common.wire.FieldsFlyweight;
import io.chimera.common.wire.RecordFlyweight;
import io.chimera.common.wire.SeriesFlyweight;
import java.io.IOException;
import java.util.Arrays;
import org.agrona.ExpandableArrayBuffer;

/**
 * Records of a window, for functions whose state only a merge in the order of the records can compute: plugins and
 * sketches. One thread.
 */
final class RecordedContent implements WindowContent {
    private final int pipeline;
    private final long startNs;
    private final PieceSink out;
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(4096);

    /** Numbers plus one here, by the numbers in the body; 0 without a definition. */
    private int[] seriesHere = new int[64];

    private int[] setsHere = new int[16];
    private int seriesCount;
    private int setCount;
    private int position;

    RecordedContent(int pipeline, long startNs, PieceSink out) {
        this.pipeline = pipeline;
        this.startNs = startNs;
        this.out = out;
        begin();
    }

    private void begin() {
        seriesCount = 0;
        setCount = 0;
        Entries.putReset(buffer, 0);
        position = BodyLayout.RESET_LENGTH;
    }

    @Override
    @HotPath
    public void add(BodyReader body) {
        RecordFlyweight record = body.record();
        int series = seriesOf(body, record.series());
        int set = setOf(body, record.fields());
        buffer.putBytes(position, record.buffer(), record.offset(), record.length());
        Entries.references(buffer, position, set, series);
        position += record.length();
    }

    private int seriesOf(BodyReader body, int number) {
        if (number >= seriesHere.length) {
            seriesHere = Arrays.copyOf(seriesHere, Math.max(number + 1, 2 * seriesHere.length));
        }
        if (seriesHere[number] == 0) {
            SeriesFlyweight series = body.seriesOfRecord();
            buffer.putBytes(position, series.buffer(), series.offset(), series.length());
            Entries.number(buffer, position, seriesCount++);
            position += series.length();
            seriesHere[number] = seriesCount;
        }
        return seriesHere[number] - 1;
    }

    private int setOf(BodyReader body, int number) {
        if (number >= setsHere.length) {
            setsHere = Arrays.copyOf(setsHere, Math.max(number + 1, 2 * setsHere.length));
        }
        if (setsHere[number] == 0) {
            FieldsFlyweight set = body.fieldsOfRecord();
            buffer.putBytes(position, set.buffer(), set.offset(), set.length());
            Entries.number(buffer, position, setCount++);
            position += set.length();
            setsHere[number] = setCount;
        }
        return setsHere[number] - 1;
    }

    @Override
    public void endBody() throws IOException {
        if (position > BodyLayout.RESET_LENGTH) {
            out.piece(pipeline, startNs, buffer, position);
            Arrays.fill(seriesHere, 0);
            Arrays.fill(setsHere, 0);
            begin();
        }
    }

    @Override
    public void flush() throws IOException {
        endBody();
    }

    /** {@inheritDoc} The records are not in the pool. */
    @Override
    public void discard() {}
}
