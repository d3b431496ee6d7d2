package io.chimera.dataset.source.s3;

import io.chimera.dataset.source.Checksum;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.ObjectVersion;
import io.chimera.dataset.source.PathPattern;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import io.chimera.dataset.source.http.PercentEncoding;
import io.chimera.dataset.source.s3.ListingPage.ListedObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import javax.xml.stream.XMLStreamException;

/** Collects the pages of one list, and keeps the objects that match a pattern. Used once, by one thread. */
final class BucketListing {
    /** Maximum length of a page: 1,000 objects with keys of 1 KiB, each byte percent-encoded, and room for the rest. */
    static final int PAGE_BYTES_MAX = 8 << 20;

    /** Maximum number of pages: ten million objects, whether they match or not. */
    private static final int PAGES_MAX = 10_000;

    private final S3Location location;
    private final PathPattern wanted;
    private final int objectsMax;
    private final List<DataObject> found = new ArrayList<>();
    private String token = "";
    private int pages;

    /**
     * Creates an empty list.
     *
     * @param location address of the data set
     * @param wanted pattern of the paths below the prefix
     * @param objectsMax maximum number of matching objects
     */
    BucketListing(S3Location location, PathPattern wanted, int objectsMax) {
        this.location = location;
        this.wanted = wanted;
        this.objectsMax = objectsMax;
    }

    /** Returns the query for the next page, encoded. */
    String query() {
        String next = token.isEmpty() ? "" : "continuation-token=" + PercentEncoding.ofQuery(token) + "&";
        return next + "encoding-type=url&list-type=2&max-keys=1000&prefix="
                + PercentEncoding.ofQuery(location.prefix() + wanted.prefix());
    }

    /**
     * Adds a page.
     *
     * @param document XML of the page
     * @throws SourceException when the page is malformed, or the list is too long
     */
    void add(byte[] document) throws SourceException {
        ListingPage page;
        try {
            page = ListingPage.parse(document);
        } catch (XMLStreamException e) {
            throw new SourceException(
                    SourceFault.BAD_ANSWER,
                    location.place() + ": the list of the bucket is malformed; check that the endpoint is an S3 server",
                    Duration.ZERO,
                    e);
        }
        for (ListedObject object : page.objects()) {
            addIfWanted(object);
        }
        if (!page.nextToken().isEmpty() && (page.nextToken().equals(token) || ++pages >= PAGES_MAX)) {
            throw new SourceException(
                    SourceFault.BAD_ANSWER,
                    location.place() + ": the list of the bucket does not end; use a longer prefix");
        }
        token = page.nextToken();
    }

    private void addIfWanted(ListedObject listed) throws SourceException {
        String key = listed.key();
        if (!key.startsWith(location.prefix()) || key.endsWith("/")) {
            return; // Some tools create empty objects with a slash at the end for folders.
        }
        String path = key.substring(location.prefix().length());
        if (path.isEmpty() || !wanted.matches(path)) {
            return;
        }
        if (!PathPattern.isPath(path)) {
            throw new SourceException(
                    SourceFault.UNSUPPORTED,
                    location.place() + ": a key that is no path, with an empty segment, \".\", \"..\" or a control"
                            + " character; rename the object, or use a narrower pattern");
        }
        if (found.size() >= objectsMax) {
            throw new SourceException(
                    SourceFault.UNSUPPORTED,
                    "more than " + objectsMax + " objects of " + location.place() + " match " + wanted
                            + "; use a narrower pattern, or several jobs");
        }
        String tag = listed.validators().tag(listed.length());
        found.add(new DataObject(path, listed.length(), new ObjectVersion(tag, Checksum.NONE)));
    }

    /** Returns whether the last page names a next page. */
    boolean hasNext() {
        return !token.isEmpty();
    }

    /**
     * Returns the objects ordered by path.
     *
     * @throws SourceException when the server listed an object twice
     */
    List<DataObject> objects() throws SourceException {
        found.sort(Comparator.comparing(DataObject::path));
        for (int i = 1; i < found.size(); i++) {
            if (found.get(i).path().equals(found.get(i - 1).path())) {
                throw new SourceException(
                        SourceFault.BAD_ANSWER,
                        location.place() + found.get(i).path() + ": listed twice; list again while nobody writes");
            }
        }
        return List.copyOf(found);
    }
}
