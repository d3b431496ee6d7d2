package io.chimera.dataset.format.parquet;

import io.chimera.dataset.format.ObjectBytes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.EncryptionAlgorithm;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.event.Consumers;
import org.apache.parquet.format.event.EventBasedThriftReader;
import org.apache.parquet.format.event.TypedConsumer;
import shaded.parquet.org.apache.thrift.TException;
import shaded.parquet.org.apache.thrift.protocol.TProtocol;

/**
 * Reads the footer of an object: one read of the end of the object, and a second one when the footer is longer.
 *
 * <pre>
 *   … pages … | footer (Thrift) | length of the footer, 4 bytes | "PAR1"
 * </pre>
 *
 * The columns and chunks of the footer pass by one after the other and only the mapped ones are kept, so that a footer
 * of many columns needs little more memory than its bytes.
 */
final class FooterReader {
    private static final int TRAILER_BYTES = 8;

    /** "PAR1" at the begin, a page or none, and the trailer. */
    private static final int OBJECT_BYTES_MIN = 4 + TRAILER_BYTES;

    /** Holds the footers of most objects; at 10 MB/s its transfer costs less than the round trip of a second read. */
    private static final int TAIL_BYTES = 64 << 10;

    /** A footer of 1,000 columns and 500 row groups has about 50 MB. */
    private static final int FOOTER_BYTES_MAX = 64 << 20;

    private FooterReader() {}

    /**
     * Reads and checks the footer.
     *
     * @param object the object
     * @param paths paths of the mapped columns
     * @throws IOException when the object cannot be read
     * @throws ParquetDefect when the footer is damaged, or a column is missing or cannot be read
     */
    static ParquetFooter read(ObjectBytes object, List<String> paths) throws IOException {
        long length = object.length();
        if (length < OBJECT_BYTES_MIN) {
            throw new ParquetDefect(length + " bytes are too short for Parquet");
        }
        byte[] tail = new byte[(int) Math.min(length, TAIL_BYTES)];
        ObjectReads.full(object, length - tail.length, tail, 0, tail.length);
        int footerLength = footerLength(tail, length);
        long start = length - TRAILER_BYTES - footerLength;
        byte[] footer = tail;
        int at = tail.length - TRAILER_BYTES - footerLength;
        if (at < 0) {
            footer = new byte[footerLength];
            ObjectReads.full(object, start, footer, 0, -at);
            System.arraycopy(tail, 0, footer, -at, footerLength + at);
            at = 0;
        }
        return parse(footer, at, footerLength, start, paths);
    }

    private static int footerLength(byte[] tail, long objectLength) {
        String magic = new String(tail, tail.length - 4, 4, StandardCharsets.ISO_8859_1);
        if (magic.equals("PARE")) {
            throw encrypted("the footer");
        }
        if (!magic.equals("PAR1")) {
            throw new ParquetDefect(
                    "the last four bytes are not \"PAR1\"",
                    "the object is not Parquet, is cut off or still being written; correct the format of the job or"
                            + " write the object again");
        }
        int length = LittleEndian.intAt(tail, tail.length - TRAILER_BYTES);
        if (length <= 0 || length > objectLength - OBJECT_BYTES_MIN) {
            throw new ParquetDefect("a footer of " + Integer.toUnsignedString(length) + " bytes in an object of "
                    + objectLength + " bytes");
        }
        if (length > FOOTER_BYTES_MAX) {
            throw new ParquetDefect(
                    "a footer of " + length + " bytes, expected at most " + FOOTER_BYTES_MAX,
                    "write the object with larger row groups");
        }
        return length;
    }

    private static ParquetFooter parse(byte[] bytes, int from, int length, long footerStart, List<String> paths) {
        SchemaColumns schema = new SchemaColumns(paths);
        RowGroups groups = new RowGroups(schema, footerStart);
        try {
            BoundedProtocol protocol = new BoundedProtocol(new ByteArrayInputStream(bytes, from, length), length);
            new EventBasedThriftReader(protocol)
                    .readStruct(Consumers.fieldConsumer()
                            .onField(
                                    FileMetaData._Fields.SCHEMA,
                                    Consumers.listElementsOf(Consumers.struct(SchemaElement.class, schema::add)))
                            .onField(
                                    FileMetaData._Fields.ROW_GROUPS,
                                    Consumers.listElementsOf(new RowGroupConsumer(groups)))
                            .onField(
                                    FileMetaData._Fields.ENCRYPTION_ALGORITHM,
                                    Consumers.struct(EncryptionAlgorithm.class, algorithm -> {
                                        throw encrypted("a column");
                                    })));
        } catch (ParquetDefect e) {
            throw e;
        } catch (TException | RuntimeException e) {
            // For some damaged lengths the library throws exceptions that it does not declare.
            throw new ParquetDefect("the footer at offset " + footerStart + " is not valid (" + e.getMessage() + ")");
        }
        return new ParquetFooter(schema.columns(), groups.places());
    }

    static ParquetDefect encrypted(String what) {
        return new ParquetDefect(what + " is encrypted", "decrypt the object; encrypted Parquet is not supported");
    }

    /** Hands the chunks of a row group on one after the other. */
    private static final class RowGroupConsumer extends TypedConsumer.StructConsumer {
        private final RowGroups groups;

        RowGroupConsumer(RowGroups groups) {
            this.groups = groups;
        }

        @Override
        public void consumeStruct(TProtocol protocol, EventBasedThriftReader reader) throws TException {
            groups.begin();
            reader.readStruct(Consumers.fieldConsumer()
                    .onField(
                            RowGroup._Fields.COLUMNS,
                            Consumers.listElementsOf(Consumers.struct(ColumnChunk.class, groups::chunk)))
                    .onField(RowGroup._Fields.NUM_ROWS, new TypedConsumer.I64Consumer() {
                        @Override
                        public void consume(long rows) {
                            groups.rows(rows);
                        }
                    }));
            groups.end();
        }
    }
}
