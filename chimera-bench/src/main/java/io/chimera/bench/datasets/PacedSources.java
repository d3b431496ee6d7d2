package io.chimera.bench.datasets;

import io.chimera.bench.datasets.path.DelayProxy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.agrona.CloseHelper;

/** Replicas of a data source, each behind a link of its own. One thread. */
final class PacedSources implements AutoCloseable {
    private final List<DelayProxy> proxies = new ArrayList<>();

    /**
     * Starts the replicas.
     *
     * @param path path to each replica
     * @param count number of replicas
     */
    PacedSources(DatasetsSite site, NetworkSetting path, int count) throws IOException {
        try {
            for (int replica = 0; replica < count; replica++) {
                proxies.add(DelayProxy.start(path.model(), site.server().port()));
            }
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /** Returns the addresses of the objects. */
    List<String> urls() {
        return proxies.stream().map(proxy -> DatasetsSite.url(proxy.port())).toList();
    }

    @Override
    public void close() {
        CloseHelper.closeAll(proxies);
    }
}
