package io.chimera.dataset.report;

/** Text in HTML and SVG. */
final class HtmlText {
    private HtmlText() {}

    /** Returns a text in which no character has a meaning in HTML. */
    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
