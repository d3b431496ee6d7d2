package io.chimera.apps.trending;

/**
 * Writes JSON in the style of Twitter: no spaces, escaped slashes, and optionally escaped non-ASCII characters. One
 * thread.
 */
final class JsonText {
    private final StringBuilder out;
    private final boolean escapes;
    private boolean first = true;

    /**
     * Creates a writer that appends to a text.
     *
     * @param escapes true to escape non-ASCII characters
     */
    JsonText(StringBuilder out, boolean escapes) {
        this.out = out;
        this.escapes = escapes;
    }

    JsonText begin(char bracket) {
        comma();
        return open(bracket);
    }

    JsonText begin(String name, char bracket) {
        key(name);
        return open(bracket);
    }

    private JsonText open(char bracket) {
        out.append(bracket);
        first = true;
        return this;
    }

    JsonText end(char bracket) {
        out.append(bracket);
        first = false;
        return this;
    }

    JsonText text(String name, String value) {
        key(name);
        quoted(value);
        return this;
    }

    /** Writes a number, a boolean or null. */
    JsonText raw(String name, Object value) {
        key(name);
        out.append(value);
        return this;
    }

    /** Writes an array element. */
    JsonText element(Object value) {
        comma();
        out.append(value);
        return this;
    }

    private void key(String name) {
        comma();
        quoted(name);
        out.append(':');
    }

    private void comma() {
        if (!first) {
            out.append(',');
        }
        first = false;
    }

    private void quoted(String value) {
        out.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"', '\\', '/' -> out.append('\\').append(c);
                case '\n' -> out.append("\\n");
                default -> {
                    if (c < 0x80 || !escapes) {
                        out.append(c);
                    } else {
                        out.append("\\u");
                        for (int shift = 12; shift >= 0; shift -= 4) {
                            out.append(Character.forDigit(c >> shift & 0xF, 16));
                        }
                    }
                }
            }
        }
        out.append('"');
    }
}
