package io.chimera.dataset.format.text;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/** Checks that bytes are UTF-8. One thread; ASCII costs one pass and no allocation. */
final class Utf8Check {
    private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    private final CharBuffer chars = CharBuffer.allocate(1024);

    Utf8Check() {}

    boolean isValid(byte[] bytes, int from, int to) {
        return LineScan.isAscii(bytes, from, to) || isDecodable(ByteBuffer.wrap(bytes, from, to - from));
    }

    private boolean isDecodable(ByteBuffer bytes) {
        decoder.reset();
        CoderResult result;
        do {
            chars.clear();
            result = decoder.decode(bytes, chars, true);
        } while (result.isOverflow());
        return !result.isError();
    }
}
