package io.chimera.dataset.source.s3;

import io.chimera.dataset.source.http.DecimalDigits;
import io.chimera.dataset.source.http.Validators;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.xml.stream.XMLStreamException;

/**
 * One page of {@code ListObjectsV2}.
 *
 * @param objects objects in the order of the server
 * @param nextToken token of the next page; empty on the last page
 */
record ListingPage(List<ListedObject> objects, String nextToken) {
    private static final int OBJECTS_MAX = 1000;
    private static final int KEY_LENGTH_MAX = 1024;

    /**
     * An object of a page.
     *
     * @param key decoded key
     * @param length length in bytes
     * @param validators ETag and time of modification
     */
    record ListedObject(String key, long length, Validators validators) {}

    /**
     * Reads a page.
     *
     * @param document XML of the page
     * @throws XMLStreamException when the document is malformed, or is not a page
     */
    static ListingPage parse(byte[] document) throws XMLStreamException {
        Builder builder = new Builder();
        BoundedXml.read(document, builder);
        return builder.page();
    }

    /** Collects the elements of a page. */
    private static final class Builder implements BoundedXml.Elements {
        private static final String ROOT = "ListBucketResult";
        private static final String OBJECT = ROOT + "/Contents";

        private final List<ListedObject> objects = new ArrayList<>();
        private boolean isPage;
        private boolean isTruncated;
        private boolean isUrlEncoded;
        private String nextToken = "";

        private String key = "";
        private long length = -1;
        private String etag = "";
        private Optional<Instant> modified = Optional.empty();

        @Override
        public void onEnd(String path, String text) throws XMLStreamException {
            switch (path) {
                case OBJECT + "/Key" -> key = text;
                case OBJECT + "/Size" -> length = DecimalDigits.parse(text.strip());
                case OBJECT + "/ETag" -> etag = quoted(text.strip());
                case OBJECT + "/LastModified" -> modified = instant(text.strip());
                case OBJECT -> endObject();
                case ROOT + "/IsTruncated" -> isTruncated = text.strip().equals("true");
                case ROOT + "/NextContinuationToken" -> nextToken = text.strip();
                case ROOT + "/EncodingType" -> isUrlEncoded = text.strip().equals("url");
                case ROOT -> isPage = true;
                default -> {
                    // Owners, storage classes and the repeated parameters of the request.
                }
            }
        }

        private void endObject() throws XMLStreamException {
            if (key.isEmpty() || length < 0 || objects.size() >= OBJECTS_MAX) {
                throw new XMLStreamException(
                        "an object without key or size, or more than " + OBJECTS_MAX + " objects in a page");
            }
            objects.add(new ListedObject(key, length, new Validators(etag, modified)));
            key = "";
            length = -1;
            etag = "";
            modified = Optional.empty();
        }

        ListingPage page() throws XMLStreamException {
            if (!isPage || (isTruncated && nextToken.isEmpty())) {
                throw new XMLStreamException("no ListBucketResult, or a page without the token of the next page");
            }
            List<ListedObject> decoded = new ArrayList<>(objects.size());
            // The element EncodingType may come after the keys.
            for (ListedObject object : objects) {
                decoded.add(new ListedObject(decoded(object.key()), object.length(), object.validators()));
            }
            return new ListingPage(List.copyOf(decoded), isTruncated ? nextToken : "");
        }

        private String decoded(String encoded) throws XMLStreamException {
            String name = encoded;
            if (isUrlEncoded) {
                try {
                    name = URLDecoder.decode(encoded, StandardCharsets.UTF_8);
                } catch (IllegalArgumentException e) {
                    throw new XMLStreamException("a key with a malformed percent-encoding", e);
                }
            }
            if (name.length() > KEY_LENGTH_MAX) {
                throw new XMLStreamException("a key of more than " + KEY_LENGTH_MAX + " characters");
            }
            return name;
        }

        private static String quoted(String etag) {
            String quoted = etag.startsWith("\"") || etag.startsWith("W/") ? etag : "\"" + etag + "\"";
            return Validators.isEtag(quoted) ? quoted : "";
        }

        private static Optional<Instant> instant(String text) {
            try {
                return Optional.of(Instant.parse(text));
            } catch (DateTimeParseException e) {
                return Optional.empty();
            }
        }
    }
}
