package io.chimera.archive.server.answer;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.chimera.archive.index.SearchCounts;
import io.chimera.archive.query.Explanation;
import io.chimera.archive.query.QueryProgress;
import io.chimera.archive.query.answer.ArchiveQuery;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Answers a question with the cost of its search. Runs the query, but does not show the matches. One thread. */
public final class ExplanationAnswer {
    private static final double NS_PER_MS = 1e6;
    private static final JsonFactory JSON = new JsonFactory().disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);

    private final ArchiveQuery<?> query;
    private final OutputStream out;

    /** Creates an answer; the output stream stays open. */
    public ExplanationAnswer(ArchiveQuery<?> query, OutputStream out) {
        this.query = query;
        this.out = out;
    }

    /**
     * Runs the query and writes its cost as JSON or text.
     *
     * @throws ChimeraException when the archive cannot be read or the answer cannot be written
     */
    public QueryProgress write(AnswerFormat format) {
        for (boolean isThere = query.next(); isThere; isThere = query.next()) {
            // matches are not shown
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
        line(text, "filter on all items read: %s", of.filter().isEmpty() ? "nothing" : of.filter());
        of.parts().forEach(part -> part(text, part));
        return text.toString();
    }

    private static void part(StringBuilder text, Explanation.Part part) {
        SearchCounts search = part.search();
        line(text, "");
        line(text, "stream %s", part.stream());
        line(text, "  index lookup: %s", part.index());
        line(text, "  intervals in the time range   %,14d", part.inSpan());
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
                "  index  %,14d reads  %,16d bytes  %,10.3f ms, concurrent",
                search.indexReads(),
                search.indexBytes(),
                ms(part.searchNs()));
        line(
                text,
                "  data   %,14d reads  %,16d bytes  %,10.3f ms, several in parallel",
                part.reads(),
                part.bytes(),
                ms(part.readNs()));
        line(text, "  waited for index and data                         %,10.3f ms", ms(part.waitedNs()));
        line(
                text,
                "  filter %,14d items %,17d match  %,10.3f ms%s",
                part.looked(),
                part.matched(),
                ms(part.filterNs()),
                part.steps() == 0 ? "" : ", " + part.steps() + " steps at most per item");
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
            into.writeStringField("filter", of.filter());
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
        into.writeStringField("index", part.index());
        into.writeNumberField("filter_steps", part.steps());
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
        into.writeNumberField("looked_at", part.looked());
        into.writeNumberField("found", part.matched());
        into.writeNumberField("filter_ms", ms(part.filterNs()));
        into.writeEndObject();
    }
}
