package io.chimera.apps.trending;

import io.chimera.api.model.FieldType;
import io.chimera.api.spi.PointView;
import io.chimera.api.spi.Text;
import java.nio.charset.StandardCharsets;

/** Point with one tag and one whole number as input of a block. */
record TagPoint(String name, String value, String field, long number) implements PointView {
    /** Text of a string. */
    private record Words(String words) implements Text {
        @Override
        public int size() {
            return bytes().length;
        }

        private byte[] bytes() {
            return words.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public byte byteAt(int index) {
            return bytes()[index];
        }

        @Override
        public void copyTo(byte[] target, int offset) {
            System.arraycopy(bytes(), 0, target, offset, size());
        }

        @Override
        public long hash() {
            return words.hashCode();
        }

        @Override
        public boolean is(CharSequence other) {
            return words.contentEquals(other);
        }

        @Override
        public int length() {
            return words.length();
        }

        @Override
        public char charAt(int index) {
            return words.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return words.subSequence(start, end);
        }

        @Override
        public String toString() {
            return words;
        }
    }

    /** Creates the point of a hashtag with a number of sightings. */
    static TagPoint seen(String tag, long times) {
        return new TagPoint("tag", tag, "count", times);
    }

    @Override
    public Text metric() {
        return new Words("hashtag");
    }

    @Override
    public Text tag(String wanted) {
        return wanted.equals(name) ? new Words(value) : null;
    }

    @Override
    public int tags() {
        return 1;
    }

    @Override
    public Text tagName(int index) {
        return new Words(name);
    }

    @Override
    public Text tagValue(int index) {
        return new Words(value);
    }

    @Override
    public int field(String wanted) {
        return wanted.equals(field) ? 0 : -1;
    }

    @Override
    public int fields() {
        return 1;
    }

    @Override
    public Text fieldName(int index) {
        return new Words(field);
    }

    @Override
    public FieldType fieldType(int index) {
        return FieldType.LONG;
    }

    @Override
    public long whole(int index) {
        return number;
    }

    @Override
    public double number(int index) {
        return number;
    }

    @Override
    public Text text(int index) {
        return null;
    }

    @Override
    public long timeNs() {
        return 0;
    }
}
