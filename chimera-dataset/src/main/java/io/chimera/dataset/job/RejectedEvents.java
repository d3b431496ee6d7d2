package io.chimera.dataset.job;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.chimera.common.letters.LetterText;
import io.chimera.dataset.compute.SplitFold;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Keeps the first rejected events of a split, one JSON object per line: {@code split, object, from, line, reason}, and
 * {@code text}, or {@code base64} when the text is not UTF-8. The line counts from the beginning of the split at offset
 * {@code from}. The events become a part of the split's result, so that they are kept once. One thread.
 */
final class RejectedEvents implements SplitFold.Rejects {
    /** Maximum length of a reason; longer ones are cut. */
    private static final int REASON_LENGTH_MAX = 512;

    private final Split split;
    private final RejectLimits limits;
    private final JsonFactory json = new JsonFactory();
    private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
    private int kept;

    RejectedEvents(Split split, RejectLimits limits) {
        this.split = split;
        this.limits = limits;
    }

    @Override
    public void reject(byte[] bytes, int offset, int length, long line, String reason) {
        if (kept == limits.perSplit()) {
            return;
        }
        kept++;
        try (JsonGenerator object = json.createGenerator(lines)) {
            object.writeStartObject();
            object.writeNumberField("split", split.number());
            object.writeStringField("object", split.object().path());
            object.writeNumberField("from", split.range().from());
            object.writeNumberField("line", line);
            object.writeStringField("reason", reason.substring(0, Math.min(REASON_LENGTH_MAX, reason.length())));
            LetterText.write(object, bytes, offset, LetterText.beginning(bytes, offset, length, limits.textBytes()));
            object.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("an array in memory takes all bytes", e);
        }
        lines.write('\n');
    }

    /** Returns the lines. */
    byte[] lines() {
        return lines.toByteArray();
    }
}
