package io.chimera.queue.parser;

import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.Parser;
import java.util.Random;

/**
 * Feeds text to a parser like a connection: in pieces, with unconsumed bytes before the next piece, and with full
 * rings.
 */
final class ChunkFeeder {
    private final Random random;
    private byte[] held = new byte[0];
    /** Maximum number of unconsumed bytes. */
    int heldMax;

    ChunkFeeder(Random random) {
        this.random = random;
    }

    /** Feeds pieces of up to {@code pieceMax} bytes; the last piece ends the stream. */
    void feed(Parser parser, RecordingSink sink, byte[] text, int pieceMax, boolean refuse) {
        Chunk chunk = new Chunk().restart(1);
        int offset = 0;
        boolean last = false;
        while (!last) {
            int piece = Math.min(text.length - offset, 1 + random.nextInt(pieceMax));
            last = offset + piece == text.length;
            byte[] bytes = new byte[held.length + piece + 3]; // neither at the start of the array nor up to the end
            System.arraycopy(held, 0, bytes, 2, held.length);
            System.arraycopy(text, offset, bytes, 2 + held.length, piece);
            chunk.wrap(bytes, 2, held.length + piece, last);
            offset += piece;
            sink.giveRoom(refuse ? random.nextInt(3) : Integer.MAX_VALUE);
            for (int room = 1; !parser.parse(chunk, sink); room++) {
                sink.giveRoom(room); // a point spanning several lines is begun more than once
            }
            if (last && !chunk.isEmpty()) {
                throw new AssertionError("The parser left something behind the end.");
            }
            held = new byte[chunk.limit() - chunk.offset()];
            System.arraycopy(bytes, chunk.offset(), held, 0, held.length);
            heldMax = Math.max(heldMax, held.length);
        }
    }
}
