package io.chimera.queue.parser;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Random text of given pieces with a few random bytes, from a seed. */
final class RandomPieces {
    private RandomPieces() {}

    static byte[] text(Random random, String... pieces) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        for (int i = random.nextInt(40); i >= 0; i--) {
            byte[] piece = random.nextInt(60) == 0
                    ? new byte[] {(byte) random.nextInt(256)}
                    : pieces[random.nextInt(pieces.length)].getBytes(StandardCharsets.UTF_8);
            text.write(piece, 0, piece.length);
        }
        return text.toByteArray();
    }
}
