package io.chimera.dataset.fetch;

import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.DataSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Future;

/** Lists the objects of several patterns. */
public final class ObjectLists {
    private ObjectLists() {}

    /**
     * Lists objects, with a request under way for each thread of the reception: a source without lists is asked for
     * each object, and each answer takes a round trip.
     *
     * @param source the source
     * @param patterns patterns of the objects
     * @param reception runs the requests, and repeats them by its rule
     * @return objects by path; an object that matches several patterns is there once
     * @throws IOException when a request fails
     */
    public static SortedMap<String, DataObject> of(DataSource source, List<String> patterns, Reception reception)
            throws IOException {
        List<Future<List<DataObject>>> requests = new ArrayList<>();
        SortedMap<String, DataObject> objects = new TreeMap<>();
        try {
            for (String pattern : patterns) {
                requests.add(reception.request(() -> source.list(pattern)));
            }
            for (Future<List<DataObject>> request : requests) {
                Reception.await(request).forEach(object -> objects.put(object.path(), object));
            }
        } finally {
            requests.forEach(request -> request.cancel(true));
        }
        return objects;
    }
}
