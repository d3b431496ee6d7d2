package io.chimera.apps.archive;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.IOException;
import java.io.InputStream;

/** Reads an answer that {@link QueryAnswer} wrote as connections, one by one, and what the query did behind them. One thread. */
public final class AnswerReader implements AutoCloseable {
    /** Answers are in UTF-8: what does not look so is no answer, and not one in another encoding. */
    private static final JsonFactory JSON =
            JsonFactory.builder().disable(JsonFactory.Feature.CHARSET_DETECTION).build();

    private final JsonParser parser;
    private Connection connection;
    private long packets;
    private long intervalsRead;
    private long intervalsSkipped;

    /**
     * Reads nothing yet.
     *
     * @param in closed with this
     */
    public AnswerReader(InputStream in) throws IOException {
        parser = JSON.createParser(in);
    }

    /**
     * Goes to the next connection.
     *
     * @return false when there is none: all was read to the end, and what the query did is known
     * @throws IOException when nothing more can be read
     * @throws ChimeraException when this is no answer, one that was cut off, or one that is not whole as parts of the archive could not be
     *     read
     */
    public boolean next() throws IOException {
        try {
            require(parser.nextToken() == JsonToken.START_OBJECT);
            String name = parser.nextFieldName();
            if (!"query".equals(name)) {
                connection = readConnection(name);
                return true;
            }
            parser.nextToken();
            readQuery();
            require(parser.nextToken() == JsonToken.END_OBJECT);
            // whoever fails behind the last object cuts the answer off, so its end is to be seen
            require(parser.nextToken() == null);
            return false;
        } catch (JsonProcessingException e) {
            throw notWhole(e);
        }
    }

    private Connection readConnection(String firstName) throws IOException {
        long firstNs = 0;
        long lastNs = 0;
        long count = 0;
        String source = null;
        String destination = null;
        int sourcePort = 0;
        int destinationPort = 0;
        int protocol = 0;
        for (String name = firstName; name != null; name = parser.nextFieldName()) {
            parser.nextToken();
            switch (name) {
                case "first_ns" -> firstNs = parser.getLongValue();
                case "last_ns" -> lastNs = parser.getLongValue();
                case "packets" -> count = parser.getLongValue();
                case "src" -> source = parser.getText();
                case "src_port" -> sourcePort = parser.getIntValue();
                case "dst" -> destination = parser.getText();
                case "dst_port" -> destinationPort = parser.getIntValue();
                case "protocol" -> protocol = parser.getIntValue();
                case "error" -> throw new ChimeraException(Category.ERROR, parser.getText());
                default -> parser.skipChildren();
            }
        }
        require(parser.currentToken() == JsonToken.END_OBJECT && source != null && destination != null && count > 0);
        return new Connection(source, sourcePort, destination, destinationPort, protocol, firstNs, lastNs, count);
    }

    private void readQuery() throws IOException {
        require(parser.currentToken() == JsonToken.START_OBJECT);
        long damaged = 0;
        String damage = "";
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            parser.nextToken();
            switch (name) {
                case "packets" -> packets = parser.getLongValue();
                case "intervals_read" -> intervalsRead = parser.getLongValue();
                case "intervals_skipped" -> intervalsSkipped = parser.getLongValue();
                case "intervals_damaged" -> damaged = parser.getLongValue();
                case "damage" -> damage = parser.getText();
                default -> parser.skipChildren();
            }
        }
        require(parser.currentToken() == JsonToken.END_OBJECT);
        if (damaged > 0) {
            throw new ChimeraException(
                    Category.ERROR,
                    "The archive is damaged, and the answer is not whole: " + damaged
                            + " intervals could not be read, the first in " + damage);
        }
    }

    private static void require(boolean holds) {
        if (!holds) {
            throw notWhole(null);
        }
    }

    private static ChimeraException notWhole(Exception cause) {
        return new ChimeraException(
                Category.ERROR, "This is no whole answer to a question; is it a recorder that answers?", cause);
    }

    /** The one that was gone to. */
    public Connection connection() {
        return connection;
    }

    /** All of the answer, as the query counted them. */
    public long packets() {
        return packets;
    }

    /** What the query read. */
    public long intervalsRead() {
        return intervalsRead;
    }

    /** What the index spared the query. */
    public long intervalsSkipped() {
        return intervalsSkipped;
    }

    @Override
    public void close() throws IOException {
        parser.close();
    }
}
