package io.chimera.dataset.source.xrootd.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a folder.
 *
 * @param name name within the folder
 * @param stat stat information; null when the server lists names only
 */
public record FolderEntry(String name, @Nullable FileStat stat) {
    /** First entry of a listing with stat information. */
    private static final String LEAD = ".\n0 0 0 0";

    /**
     * Decodes a listing.
     *
     * @param body the whole listing
     * @throws AnswerException for names with a slash and for stat information outside the protocol
     */
    public static List<FolderEntry> decodeAll(ByteBuffer body) throws AnswerException {
        String text = withoutEnd(StandardCharsets.UTF_8.decode(body).toString());
        boolean hasStats =
                text.startsWith(LEAD) && (text.length() == LEAD.length() || text.charAt(LEAD.length()) == '\n');
        List<FolderEntry> entries = new ArrayList<>();
        int from = hasStats ? Math.min(text.length(), LEAD.length() + 1) : 0;
        while (from < text.length()) {
            int nameEnd = lineEnd(text, from);
            String name = text.substring(from, nameEnd);
            FileStat stat = null;
            from = nameEnd + 1;
            if (hasStats) {
                if (from >= text.length()) {
                    throw new AnswerException("the last entry of a folder has no stat information");
                }
                int statEnd = lineEnd(text, from);
                stat = FileStat.parse(text.substring(from, statEnd));
                from = statEnd + 1;
            }
            if (name.isEmpty() || name.indexOf('/') >= 0 || name.indexOf('\0') >= 0) {
                throw new AnswerException("the name of an entry is empty, or has a slash or a zero byte");
            }
            if (!name.equals(".") && !name.equals("..")) {
                entries.add(new FolderEntry(name, stat));
            }
        }
        return entries;
    }

    private static int lineEnd(String text, int from) {
        int end = text.indexOf('\n', from);
        return end < 0 ? text.length() : end;
    }

    private static String withoutEnd(String text) {
        int end = text.length();
        while (end > 0 && (text.charAt(end - 1) == '\0' || text.charAt(end - 1) == '\n')) {
            end--;
        }
        return text.substring(0, end);
    }
}
