package io.chimera.dataset.format.parquet;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.apache.parquet.format.PageHeader;
import shaded.parquet.org.apache.thrift.TException;

/** Reads the headers of pages. */
final class PageHeaderReader {
    /** A header has about 30 bytes, and more with the least and the greatest text of the page. */
    private static final int HEADER_BYTES_MAX = 1 << 20;

    private PageHeaderReader() {}

    /** Reads the header at the position of the window, and moves the window after the header. */
    static PageHeader read(ChunkWindow window) throws IOException {
        window.require(1);
        int longest = (int) Math.min(window.left(), HEADER_BYTES_MAX);
        if (window.available() < longest) {
            try {
                return parse(window, window.available());
            } catch (TException | RuntimeException e) {
                // The window may end within the header.
                window.require(longest);
            }
        }
        try {
            return parse(window, longest);
        } catch (TException | RuntimeException e) {
            // For some damaged lengths the library throws exceptions that it does not declare.
            throw new ParquetDefect("the header of the page is not valid (" + e.getMessage() + ")");
        }
    }

    private static PageHeader parse(ChunkWindow window, int length) throws TException {
        ByteArrayInputStream in = new ByteArrayInputStream(window.bytes(), window.position(), length);
        PageHeader header = new PageHeader();
        header.read(new BoundedProtocol(in, length));
        window.skip(length - in.available());
        return header;
    }
}
