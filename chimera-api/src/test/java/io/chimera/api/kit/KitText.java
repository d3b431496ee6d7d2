package io.chimera.api.kit;

import io.chimera.api.spi.Text;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A text with memory of its own. */
final class KitText implements Text {
    private final String text;
    private final byte[] bytes;

    KitText(String text) {
        this.text = text;
        bytes = text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public int size() {
        return bytes.length;
    }

    @Override
    public byte byteAt(int index) {
        return bytes[index];
    }

    @Override
    public void copyTo(byte[] target, int offset) {
        System.arraycopy(bytes, 0, target, offset, bytes.length);
    }

    @Override
    public long hash() {
        long hash = 0xcbf29ce484222325L; // FNV-1a with mixed bits
        for (byte one : bytes) {
            hash = (hash ^ (one & 0xff)) * 0x100000001b3L;
        }
        hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        return hash ^ (hash >>> 29);
    }

    @Override
    public boolean is(CharSequence other) {
        return text.contentEquals(other);
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public char charAt(int index) {
        return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return text.substring(start, end);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KitText same && Arrays.equals(bytes, same.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return text;
    }
}
