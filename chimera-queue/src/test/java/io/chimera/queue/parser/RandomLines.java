package io.chimera.queue.parser;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Random text close to line protocol, from a seed. */
final class RandomLines {
    private static final String[] PIECES = {
        "cpu",
        ",host=a",
        ",zone=b\\ c",
        " ",
        " ",
        " f=1",
        ",g=2i",
        ",h=3u",
        " t=\"text\"",
        ",t=\"a\nb\"",
        ",s=\"\\\"\\\\\"",
        "\n",
        "\n",
        "\n",
        "\r\n",
        "\r",
        "\"",
        "\\",
        ",",
        "=",
        "#",
        "-1",
        ".5e3",
        " 1700000000000000000",
        "t",
        "true",
        "ä",
        "\t",
        "m f=1\n",
        "m,a=b f=\"x\" 5\n"
    };

    private RandomLines() {}

    static byte[] text(Random random) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        for (int i = random.nextInt(40); i >= 0; i--) {
            byte[] piece = random.nextInt(30) == 0
                    ? new byte[] {(byte) random.nextInt(256)}
                    : PIECES[random.nextInt(PIECES.length)].getBytes(StandardCharsets.UTF_8);
            text.write(piece, 0, piece.length);
        }
        return text.toByteArray();
    }
}
