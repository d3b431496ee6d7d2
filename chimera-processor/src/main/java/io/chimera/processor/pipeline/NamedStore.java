package io.chimera.processor.pipeline;

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
                    "pipelines." + pipeline + ".stores names '" + name + "', an unknown store (known: "
                            + String.join(", ", stores.keySet()) + "). Add the store under stores, or correct the"
                            + " name.");
        }
        if (isVerified && !(store.store instanceof VerifiableStore)) {
            throw new ChimeraException(
                    ChimeraException.Category.FATAL,
                    "pipelines." + pipeline + ".delivery is exactly_once, which requires reading rows back, but"
                            + " this is not possible with store '"
                            + name + "'. Set delivery to at_least_once, or use another store.");
        }
        return store;
    }
}
