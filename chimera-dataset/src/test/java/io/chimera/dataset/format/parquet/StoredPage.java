package io.chimera.dataset.format.parquet;

import java.io.IOException;
import java.util.List;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;

/** Pages of a column without nulls in a test file, as they are stored uncompressed. */
final class StoredPage {
    static final long MEMORY = 1 << 20;

    final LeafColumn column;
    private final ReaderResources resources;
    private final RowGroupPlace group;

    StoredPage(String file, String column) throws IOException {
        ParquetObject object = new ParquetObject(ParquetObject.resource(file));
        ParquetFooter footer = FooterReader.read(object, List.of(column));
        this.column = footer.columns().get(0);
        this.resources = ReaderResources.of(object, MEMORY, 1);
        this.group = footer.rowGroups().get(0);
    }

    /** Hands the dictionary, if there is one, and the first data page to a column. */
    int open(PageTarget target) throws IOException {
        ChunkWindow window = new ChunkWindow(resources);
        window.open(group.chunks().get(0));
        while (true) {
            PageHeader header = PageHeaderReader.read(window);
            int from = window.position();
            int end = from + header.getCompressed_page_size();
            window.skip(header.getCompressed_page_size());
            if (header.getType() == PageType.DATA_PAGE) {
                target.page(header.getData_page_header().getEncoding(), window.bytes(), from, end);
                return header.getData_page_header().getNum_values();
            }
            target.dictionary(
                    window.bytes(),
                    from,
                    end,
                    header.getDictionary_page_header().getNum_values());
        }
    }

    TextColumn text() {
        return new TextColumn(resources, column);
    }

    NumberColumn number() {
        return new NumberColumn(resources, column, Conversion.NONE);
    }
}
