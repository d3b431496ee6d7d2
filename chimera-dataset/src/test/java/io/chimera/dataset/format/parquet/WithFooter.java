package io.chimera.dataset.format.parquet;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.Consumer;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.KeyValue;
import org.apache.parquet.format.Util;

/** Objects with another footer. */
final class WithFooter {
    private WithFooter() {}

    /** Changes the footer of an object. */
    static byte[] changed(byte[] content, Consumer<FileMetaData> change) throws IOException {
        int length = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN).getInt(content.length - 8);
        int start = content.length - 8 - length;
        FileMetaData footer = Util.readFileMetaData(new ByteArrayInputStream(content, start, length));
        change.accept(footer);
        ByteArrayOutputStream thrift = new ByteArrayOutputStream();
        Util.writeFileMetaData(footer, thrift);
        return raw(Arrays.copyOf(content, start), thrift.toByteArray());
    }

    /** Puts pages, the bytes of a footer and the trailer together. */
    static byte[] raw(byte[] pages, byte[] footer) {
        ByteBuffer object =
                ByteBuffer.allocate(pages.length + footer.length + 8).order(ByteOrder.LITTLE_ENDIAN);
        object.put(pages).put(footer).putInt(footer.length).put(new byte[] {'P', 'A', 'R', '1'});
        return object.array();
    }

    /** Makes the footer longer by a text that no reader needs. */
    static byte[] padded(byte[] content, int length) throws IOException {
        return changed(
                content,
                footer -> footer.addToKey_value_metadata(new KeyValue("padding").setValue("x".repeat(length))));
    }
}
