package io.chimera.archive.server.answer;

import com.fasterxml.jackson.core.JsonGenerator;
import io.chimera.api.model.Row;
import io.chimera.archive.query.answer.FoundPoints;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;

/** Formats one data point as JSON or text. One thread. */
final class PointLine implements AnswerLine {
    private static final long NS_PER_MS = 1_000_000;

    private final FoundPoints query;

    PointLine(FoundPoints query) {
        this.query = query;
    }

    @Override
    public void json(JsonGenerator into) throws IOException {
        Row row = query.row();
        into.writeStartObject();
        into.writeStringField("time", time(row));
        into.writeStringField("stream", query.stream());
        into.writeStringField("metric", row.metric());
        into.writeObjectFieldStart("tags");
        for (Map.Entry<String, String> tag : row.tags().asMap().entrySet()) {
            into.writeStringField(tag.getKey(), tag.getValue());
        }
        into.writeEndObject();
        if (row.isLong()) {
            into.writeNumberField("value", row.bits());
        } else {
            into.writeNumberField("value", row.asDouble());
        }
        into.writeStringField("type", row.isLong() ? "long" : "double");
        into.writeStringField("written", PacketLine.time(query.writtenNs()));
        into.writeEndObject();
    }

    @Override
    public String text() {
        Row row = query.row();
        StringBuilder line = new StringBuilder(120)
                .append(time(row))
                .append(' ')
                .append(query.stream())
                .append(' ')
                .append(shown(row.metric()));
        row.tags()
                .asMap()
                .forEach((name, value) ->
                        line.append(' ').append(shown(name)).append('=').append(shown(value)));
        return line.append(' ')
                .append(row.isLong() ? Long.toString(row.bits()) : Double.toString(row.asDouble()))
                .toString();
    }

    private static String time(Row row) {
        return PacketLine.time(row.timeMs() * NS_PER_MS);
    }

    /** Escapes line breaks and terminal control characters in foreign text. */
    private static String shown(String text) {
        if (text.chars().noneMatch(PointLine::isCommand)) {
            return text;
        }
        StringBuilder shown = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isCommand(c)) {
                shown.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                shown.append(c);
            }
        }
        return shown.toString();
    }

    /** Whether a character is a control character, a line break, or a change of the writing direction. */
    private static boolean isCommand(int c) {
        int type = Character.getType(c);
        return type == Character.CONTROL
                || type == Character.FORMAT
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR;
    }
}
