package io.chimera.common.composition.block;

import io.chimera.api.spi.Text;
import java.nio.charset.StandardCharsets;

/** Pattern of a whole text, with * for any text. Immutable; matching allocates nothing. */
final class TextPattern {
    private static final byte ANY = '*';

    private final byte[] pattern;

    TextPattern(String pattern) {
        this.pattern = pattern.getBytes(StandardCharsets.UTF_8);
    }

    /** Matches without recursion: after a mismatch the last star consumes one more byte. */
    boolean matches(Text text) {
        int at = 0;
        int next = 0;
        int starAt = -1;
        int starNext = 0;
        while (next < text.size()) {
            if (at < pattern.length && pattern[at] == ANY) {
                starAt = ++at;
                starNext = next;
            } else if (at < pattern.length && pattern[at] == text.byteAt(next)) {
                at++;
                next++;
            } else if (starAt >= 0) {
                at = starAt;
                next = ++starNext;
            } else {
                return false;
            }
        }
        while (at < pattern.length && pattern[at] == ANY) {
            at++;
        }
        return at == pattern.length;
    }
}
