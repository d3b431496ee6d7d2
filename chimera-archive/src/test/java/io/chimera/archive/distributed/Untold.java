package io.chimera.archive.distributed;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Clears the sender's memory of published spans. */
final class Untold {
    private static final VarHandle CATALOG = field(IndexSender.class, "catalog", SpanCatalog.class);
    private static final VarHandle IS_TOLD = field(OwnSpan.class, "isTold", boolean.class);

    private Untold() {}

    private static VarHandle field(Class<?> of, String name, Class<?> type) {
        try {
            return MethodHandles.privateLookupIn(of, MethodHandles.lookup()).findVarHandle(of, name, type);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("The field " + name + " of " + of + " has another name now.", e);
        }
    }

    static void forget(IndexSender sender) {
        ((SpanCatalog) CATALOG.get(sender)).all().forEach(own -> IS_TOLD.set(own, false));
    }
}
