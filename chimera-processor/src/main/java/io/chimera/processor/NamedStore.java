package io.chimera.processor;

import io.chimera.api.spi.Store;
import io.chimera.api.spi.VerifiableStore;
import io.chimera.common.error.ChimeraException;
import java.util.Map;

/**
 * An open store with its name in the configuration.
 *
 * @param name the name
 * @param store the store
 */
public record NamedStore(String name, Store store) {
    static NamedStore find(Map<String, NamedStore> stores, String pipeline, String name, boolean isVerified) {
        NamedStore store = stores.get(name);
        if (store == null) {
            throw new ChimeraException(
                    ChimeraException.Category.FATAL,
                    "pipelines." + pipeline + ".stores names '" + name + "', but there is no such store (there is: "
                            + String.join(", ", stores.keySet()) + "). Add it under stores, or correct the name.");
        }
        if (isVerified && !(store.store instanceof VerifiableStore)) {
            throw new ChimeraException(
                    ChimeraException.Category.FATAL,
                    "pipelines." + pipeline + ".delivery is exactly_once, but rows cannot be read back from its store '"
                            + name + "'. Set it to at_least_once, or use another store.");
        }
        return store;
    }
}
