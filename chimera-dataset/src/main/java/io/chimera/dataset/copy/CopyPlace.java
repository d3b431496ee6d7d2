package io.chimera.dataset.copy;

import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Place of neighbouring blocks of a copy: a file.
 *
 * @param name name of the copy, 32 hexadecimal digits
 * @param number number of the file in the copy, from 0
 */
record CopyPlace(String name, long number) {
    private static final Pattern FILE = Pattern.compile("([0-9a-f]{32})-(\\d{1,12})\\.copy1");

    /** Digits of the name in the offset of a lock: 60 bits. */
    private static final int LOCK_DIGITS = 15;

    /** Digits of the name in the name of the folder, so that no folder has too many files. */
    private static final int FOLDER_DIGITS = 2;

    private static final int HEX = 16;

    /** Returns the place of a file; empty for a file that is none of a copy. */
    static Optional<CopyPlace> of(Path file) {
        Matcher matcher = FILE.matcher(file.getFileName().toString());
        return matcher.matches()
                ? Optional.of(new CopyPlace(matcher.group(1), Long.parseLong(matcher.group(2))))
                : Optional.empty();
    }

    /** Returns the file below the folder of the copies. */
    Path file(Path folder) {
        return folder.resolve(name.substring(0, FOLDER_DIGITS)).resolve(name + "-" + number + ".copy1");
    }

    /** Returns the offset of the byte in the file of locks that stands for this place. */
    long lockOffset() {
        return Long.parseLong(name.substring(0, LOCK_DIGITS), HEX) + number;
    }
}
