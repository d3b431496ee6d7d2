package io.chimera.node.dataset;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Texts of failures of files: the message of an exception of the JDK is often the path alone. */
final class FileFailure {
    private FileFailure() {}

    /** Returns the text of a failure: for a file path, defect and remedy, otherwise the message. */
    static String text(Exception failure) {
        if (!(failure instanceof FileSystemException file) || file.getFile() == null) {
            return String.valueOf(failure.getMessage());
        }
        String path = file.getFile();
        if (file instanceof AccessDeniedException) {
            return path + " may not be read or written; grant access to this user, or name another folder";
        }
        if (file instanceof FileAlreadyExistsException || file instanceof NotDirectoryException) {
            return path + " is no folder; name another one";
        }
        if (file instanceof NoSuchFileException) {
            return path + " does not exist, and cannot be created; check the path";
        }
        return path + " cannot be used: " + (file.getReason() == null ? "the disk refuses" : file.getReason());
    }
}
