package io.chimera.dataset.source.s3;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads small XML documents of a server element by element. A document type is refused, so that neither entities nor
 * external files are read; depth and text of an element are bounded. One reader for one document.
 */
final class BoundedXml {
    private static final int DEPTH_MAX = 16;
    private static final int TEXT_LENGTH_MAX = 16 << 10;

    private final Deque<String> open = new ArrayDeque<>();
    private final StringBuilder text = new StringBuilder();

    /** Receives the elements in the order of their ends. */
    interface Elements {
        /**
         * Receives an element.
         *
         * @param path local names from the root to the element, joined by {@code /}
         * @param text text directly in the element after its last child
         * @throws XMLStreamException when the element is not acceptable
         */
        void onEnd(String path, String text) throws XMLStreamException;
    }

    private BoundedXml() {}

    /**
     * Reads a document.
     *
     * @param document bytes in UTF-8
     * @param elements receives the elements
     * @throws XMLStreamException when the document is malformed, too deep, or has a document type
     */
    static void read(byte[] document, Elements elements) throws XMLStreamException {
        new BoundedXml().run(document, elements);
    }

    private void run(byte[] document, Elements elements) throws XMLStreamException {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
        factory.setXMLResolver((publicId, systemId, base, namespace) -> {
            throw new XMLStreamException("external entity");
        });
        XMLStreamReader reader =
                factory.createXMLStreamReader(new ByteArrayInputStream(document), StandardCharsets.UTF_8.name());
        try {
            while (reader.hasNext()) {
                onEvent(reader, elements);
            }
        } finally {
            reader.close();
        }
    }

    private void onEvent(XMLStreamReader reader, Elements elements) throws XMLStreamException {
        switch (reader.next()) {
            case XMLStreamConstants.START_ELEMENT -> {
                open.addLast(reader.getLocalName());
                text.setLength(0);
                if (open.size() > DEPTH_MAX) {
                    throw new XMLStreamException("more than " + DEPTH_MAX + " nested elements");
                }
            }
            case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE -> {
                if (text.length() + reader.getTextLength() > TEXT_LENGTH_MAX) {
                    throw new XMLStreamException("an element of more than " + TEXT_LENGTH_MAX + " characters");
                }
                text.append(reader.getText());
            }
            case XMLStreamConstants.END_ELEMENT -> {
                elements.onEnd(String.join("/", open), text.toString());
                open.removeLast();
                text.setLength(0);
            }
            case XMLStreamConstants.DTD, XMLStreamConstants.ENTITY_REFERENCE ->
                throw new XMLStreamException("a document type or an entity");
            default -> {
                // Comments, processing instructions and the ends of the document have no data.
            }
        }
    }
}
