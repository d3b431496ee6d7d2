package io.chimera.apps.archive;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.chimera.archive.index.SearchCounts;
import io.chimera.archive.query.Explanation;
import io.chimera.archive.query.PacketQuery;
import io.chimera.archive.query.QueryProgress;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Answers a question by what it took to answer it: the packets are found, and not shown. One thread. */
public final class ExplanationAnswer {
    private static final double NS_PER_MS = 1e6;
    private static final JsonFactory JSON = new JsonFactory().disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);

    private final PacketQuery query;
    private final OutputStream out;

    /** An answer that is not written yet; the stream stays open. */
    public ExplanationAnswer(PacketQuery query, OutputStream out) {
        this.query = query;
        this.out = out;
    }

    /**
     * Answers the question, and writes what that took: as JSON, or for people.
     *
     * @throws ChimeraException when the archive cannot be read, or the answer not be written
     */
    public QueryProgress write(AnswerFormat format) {
        while (query.next()) {
            query.packet();
        }
        try {
            if (format == AnswerFormat.JSON) {
                json(query.explanation());
            } else {
                out.write(text(query.explanation()).getBytes(StandardCharsets.UTF_8));
            }
            out.flush();
        } catch (IOException e) {
            throw new ChimeraException(Category.ERROR, "The answer cannot be written: " + e.getMessage(), e);
        }
        return query.progress();
    }

    static String text(Explanation of) {
        StringBuilder text = new StringBuilder(1000);
        line(text, "asked of the index: %s", of.index());
        line(
                text,
                of.filter().isEmpty()
                        ? "asked of each packet that is read: nothing"
                        : "asked of each packet that is read: %s (%d steps at most)",
                of.filter(),
                of.steps());
        of.parts().forEach(part -> part(text, part));
        return text.toString();
    }

    private static void part(StringBuilder text, Explanation.Part part) {
        SearchCounts search = part.search();
        line(text, "");
        line(text, "stream %s", part.stream());
        line(text, "  intervals in the span of time %,14d", part.inSpan());
        line(
                text,
                "    skipped by level 2          %,14d   in %,d groups",
                search.intervalsSkippedByGroup(),
                search.groupsSkipped());
        line(text, "    skipped by level 1          %,14d", search.intervalsSkipped());
        line(text, "    overwritten, damaged        %,14d", search.intervalsGone() + search.intervalsDamaged());
        line(text, "    without an index            %,14d", search.intervalsUnindexed());
        line(text, "    read                        %,14d", part.intervals());
        line(
                text,
                "  index  %,14d reads  %,16d bytes  %,10.3f ms, beside the rest",
                search.indexReads(),
                search.indexBytes(),
                ms(part.searchNs()));
        line(
                text,
                "  data   %,14d reads  %,16d bytes  %,10.3f ms, several at a time",
                part.reads(),
                part.bytes(),
                ms(part.readNs()));
        line(text, "  waited for index and data                         %,10.3f ms", ms(part.waitedNs()));
        line(
                text,
                "  filter %,14d packets %,15d match  %,10.3f ms",
                part.looked(),
                part.matched(),
                ms(part.filterNs()));
    }

    private static void line(StringBuilder text, String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private static double ms(long ns) {
        return ns / NS_PER_MS;
    }

    private void json(Explanation of) throws IOException {
        try (JsonGenerator into = JSON.createGenerator(out)) {
            into.writeStartObject();
            into.writeStringField("index", of.index());
            into.writeStringField("filter", of.filter());
            into.writeNumberField("filter_steps", of.steps());
            into.writeArrayFieldStart("streams");
            for (Explanation.Part part : of.parts()) {
                part(part, into);
            }
            into.writeEndArray();
            into.writeEndObject();
            into.writeRaw('\n');
        }
    }

    private static void part(Explanation.Part part, JsonGenerator into) throws IOException {
        SearchCounts search = part.search();
        into.writeStartObject();
        into.writeStringField("stream", part.stream());
        into.writeNumberField("intervals_in_span", part.inSpan());
        into.writeNumberField("groups_skipped", search.groupsSkipped());
        into.writeNumberField("intervals_skipped_by_level_2", search.intervalsSkippedByGroup());
        into.writeNumberField("intervals_skipped_by_level_1", search.intervalsSkipped());
        into.writeNumberField("intervals_gone", search.intervalsGone());
        into.writeNumberField("intervals_damaged", search.intervalsDamaged());
        into.writeNumberField("intervals_unindexed", search.intervalsUnindexed());
        into.writeNumberField("intervals_read", part.intervals());
        into.writeNumberField("index_reads", search.indexReads());
        into.writeNumberField("index_bytes", search.indexBytes());
        into.writeNumberField("index_ms", ms(part.searchNs()));
        into.writeNumberField("data_reads", part.reads());
        into.writeNumberField("data_bytes", part.bytes());
        into.writeNumberField("data_ms", ms(part.readNs()));
        into.writeNumberField("waited_ms", ms(part.waitedNs()));
        into.writeNumberField("packets_looked_at", part.looked());
        into.writeNumberField("packets", part.matched());
        into.writeNumberField("filter_ms", ms(part.filterNs()));
        into.writeEndObject();
    }
}
