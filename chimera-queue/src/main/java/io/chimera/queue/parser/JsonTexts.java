package io.chimera.queue.parser;

import io.chimera.api.HotPath;
import io.chimera.api.spi.PointSink;

/**
 * Texts of one data point in a JSON document: strings without escapes and numbers stay in the document, strings with
 * escapes are resolved into a store. Not thread-safe; allocates nothing.
 */
final class JsonTexts {
    /** No text: a missing member, null, or a nested value. */
    static final int NONE = -1;

    /** One more than the limit per point, so that the sink detects an excess. */
    private static final int TAGS_MAX = PointSink.TAGS_MAX + 1;

    /** Members besides the tags. */
    private static final int MEMBERS_MAX = 3;

    private static final int TEXTS_MAX = MEMBERS_MAX + 2 * TAGS_MAX;

    private final TextStore store = new TextStore();
    private final int[] starts = new int[TEXTS_MAX];
    private final int[] ends = new int[TEXTS_MAX];
    private final boolean[] inStore = new boolean[TEXTS_MAX];
    private byte[] document;
    private int used;

    JsonTexts() {}

    /** Starts a data point without texts. */
    void open(byte[] newDocument) {
        document = newDocument;
        store.clear();
        used = MEMBERS_MAX;
    }

    /** Releases the document. */
    void release() {
        document = null;
    }

    /** Whether a text was lost because the data point is too long. */
    boolean isFull() {
        return store.isFull();
    }

    /**
     * Takes the value at the cursor as a member; a repeated member replaces the previous one.
     *
     * @param member 0 to 2
     * @return the member; {@link #NONE} for null, an object or an array
     */
    @HotPath
    int take(int member, JsonCursor json) {
        return takeAt(member, json) ? member : NONE;
    }

    private boolean takeAt(int text, JsonCursor json) {
        int first = json.peek();
        if (first == '"') {
            json.text();
            set(text, json);
            return true;
        }
        starts[text] = json.position();
        json.skip();
        ends[text] = json.position();
        inStore[text] = false;
        return first != '{' && first != '[' && first != 'n';
    }

    /** Sets a text to the most recent string. */
    private void set(int text, JsonCursor json) {
        inStore[text] = json.isEscaped();
        if (json.isEscaped()) {
            starts[text] = store.used();
            ends[text] = starts[text] + store.add(json.chars());
        } else {
            starts[text] = json.textStart();
            ends[text] = json.textEnd();
        }
    }

    /** Forgets all tags. */
    void clearTags() {
        used = MEMBERS_MAX;
    }

    /** Takes the key just read and the value at the cursor as a tag; false if the value is nested or null. */
    @HotPath
    boolean takeTag(JsonCursor json) {
        if (used == TEXTS_MAX) {
            json.skip();
            return true; // the sink refuses the point because of the first tags
        }
        set(used, json);
        boolean isTaken = takeAt(used + 1, json);
        used += 2;
        return isTaken;
    }

    byte[] bytes(int text) {
        return inStore[text] ? store.bytes() : document;
    }

    int start(int text) {
        return starts[text];
    }

    int end(int text) {
        return ends[text];
    }

    boolean isEmpty(int text) {
        return starts[text] == ends[text];
    }

    /** Passes the tags to the sink; false for a tag without a name or value. */
    @HotPath
    boolean writeTags(PointSink sink) {
        for (int name = MEMBERS_MAX; name < used; name += 2) {
            int value = name + 1;
            if (isEmpty(name) || isEmpty(value)) {
                return false;
            }
            sink.tag(
                    bytes(name),
                    starts[name],
                    ends[name] - starts[name],
                    bytes(value),
                    starts[value],
                    ends[value] - starts[value]);
        }
        return true;
    }
}
