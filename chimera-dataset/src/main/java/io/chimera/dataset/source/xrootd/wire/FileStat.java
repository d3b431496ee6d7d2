package io.chimera.dataset.source.xrootd.wire;

/**
 * Length, times and kind of a file or folder.
 *
 * @param length length in bytes, at least 0
 * @param flags bits of the protocol
 * @param modifiedSeconds time of the last change, seconds since 1970
 */
public record FileStat(long length, int flags, long modifiedSeconds) {
    private static final int FOLDER = 2;
    private static final int SPECIAL = 4;
    private static final int BEING_WRITTEN = 64;

    /**
     * Parses the text of the protocol: id, length, flags and time of change, then optional words.
     *
     * @param text the text, without the zero byte at its end
     * @throws AnswerException for another text
     */
    public static FileStat parse(String text) throws AnswerException {
        String[] words = text.trim().split(" +", 5);
        if (words.length < 4) {
            throw new AnswerException("stat information has " + words.length + " words; expected at least 4");
        }
        try {
            long length = Long.parseLong(words[1]);
            if (length < 0) {
                throw new AnswerException("length " + length + " of a file is negative");
            }
            return new FileStat(length, Integer.parseInt(words[2]), Long.parseLong(words[3]));
        } catch (NumberFormatException e) {
            throw new AnswerException("stat information has words in place of numbers");
        }
    }

    /** Returns whether the stat information describes a folder. */
    public boolean isFolder() {
        return (flags & FOLDER) != 0;
    }

    /** Returns whether the stat information describes a complete file, neither a device nor a file being written. */
    public boolean isFile() {
        return (flags & (FOLDER | SPECIAL | BEING_WRITTEN)) == 0;
    }

    /**
     * Returns time of change and length as a version tag. The tag has no file id, because each data server of a cluster
     * has an id of its own for the same file.
     */
    public String tag() {
        return modifiedSeconds + "-" + length;
    }
}
